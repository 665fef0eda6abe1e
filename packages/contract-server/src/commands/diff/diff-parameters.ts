import type { Parameter } from '../../operation/operation.js';
import type { OperationChange } from './schema/change.js';
import type { DiffedOperation } from './list-operations.js';
import type { DiffSchemas } from './schema-diff.js';

/** The parameters of an operation, those of its path too. */
export function diffParameters(
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
): OperationChange[] {
  const before = byKey(old);
  const after = byKey(now);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const was = before.get(key);
    const is = after.get(key);
    if (was === undefined) return is === undefined ? [] : [added(is)];
    const location = locationOf(is ?? was);
    if (is === undefined) {
      const why = 'what clients send there is passed over or refused';
      return [{ breaks: true, location, what: 'removed', why }];
    }
    return [
      ...diffDemand(was, is, location),
      ...diffNotation(was, is, location),
      ...diffSchemas(
        'request',
        location,
        { document: old.document, schema: was.schema },
        { document: now.document, schema: is.schema },
      ),
    ];
  });
}

/** By what a request has in it: a path parameter's place, a header's name in any letters. */
function byKey({ parameters, pathTemplate }: DiffedOperation): Map<string, Parameter> {
  const inPath = [...pathTemplate.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters.map((parameter) => {
      const { name } = parameter;
      if (parameter.in === 'path') return [`path ${inPath.indexOf(name)}`, parameter];
      return [
        `${parameter.in} ${parameter.in === 'header' ? name.toLowerCase() : name}`,
        parameter,
      ];
    }),
  );
}

function locationOf(parameter: Parameter): string {
  return `${parameter.in} parameter ${parameter.name}`;
}

function added(parameter: Parameter): OperationChange {
  return {
    breaks: parameter.required,
    location: locationOf(parameter),
    what: `${parameter.required ? 'required' : 'optional'} parameter added`,
    why: parameter.required ? 'clients do not send it' : 'clients need not send it',
  };
}

function diffDemand(was: Parameter, is: Parameter, location: string): OperationChange[] {
  const changes: OperationChange[] = [];
  const push = (breaks: boolean, what: string) => {
    const why = breaks
      ? 'requests that were valid are refused'
      : 'every request that was valid still is';
    changes.push({ breaks, location, what, why });
  };
  if (was.required !== is.required) {
    push(is.required, `made ${is.required ? 'required' : 'optional'}`);
  }
  if (was.allowEmptyValue !== is.allowEmptyValue) {
    push(was.allowEmptyValue, `empty value ${is.allowEmptyValue ? '' : 'no longer '}allowed`);
  }
  if (was.allowReserved !== is.allowReserved) {
    push(was.allowReserved, `reserved characters ${is.allowReserved ? '' : 'no longer '}allowed`);
  }
  return changes;
}

/** How a value is written: OpenAPI 3.1 §4.8.12.2. */
function diffNotation(was: Parameter, is: Parameter, location: string): OperationChange[] {
  const [from, to] = [notationOf(was), notationOf(is)];
  if (from === to) return [];
  const why = 'clients write its value another way';
  return [{ breaks: true, location, what: `${from} -> ${to}`, why }];
}

function notationOf({ mediaType, style, explode }: Parameter): string {
  return mediaType ?? `style ${style}, ${explode ? '' : 'not '}exploded`;
}
