import type { Parameter } from '../../../operation/operation.js';
import type { Direction } from '../../../schema/direction.js';
import type { Effect } from '../change/change.js';
import { pairByKey } from '../change/pair-by-key.js';
import { deprecated, innerPart, RENAMED, type Part } from '../change/part.js';
import { placeOf, type Located } from '../change/place.js';
import { changedNotation } from '../message/notation.js';
import { compareDefaults } from '../schema/annotations.js';
import { toConjunction, toEffect, type DiffSchemas } from '../schema/diff-schemas.js';
import { parameterObject, type DiffedOperation } from './list-operations.js';

const REASONS = {
  request: {
    demanded: 'clients do not send it',
    offered: 'clients need not send it',
    removed: 'what clients send there is passed over or refused',
    narrowed: 'requests that were valid are refused',
    widened: 'every request that was valid still is',
    notation: 'clients write its value another way',
  },
  response: {
    demanded: 'clients pass over it',
    offered: 'clients pass over it',
    removed: 'clients that read it find nothing',
    narrowed: 'clients get nothing that they were not told of',
    widened: 'clients may get what they were not told of',
    notation: 'its value is written another way',
  },
};

/**
 * The parameters of an operation, those of its path too.
 * @param direction `response` for a request that the service sends to its clients
 */
export function diffParameters(
  operation: Part,
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
  direction: Direction = 'request',
): Effect[] {
  const reasons = REASONS[direction];
  return pairByKey(byKey(old), byKey(now)).flatMap(({ was, is }): Effect[] => {
    if (was === undefined) return is === undefined ? [] : [added(direction, is)];
    const location = locationOf(is ?? was);
    if (is === undefined) {
      return [{ breaks: true, direction, location, what: 'removed', why: reasons.removed }];
    }
    const [wasObject, isObject] = [parameterObject(old, was), parameterObject(now, is)];
    const part = innerPart(
      operation,
      '/parameters',
      location,
      { document: old.document, value: wasObject },
      { document: now.document, value: isObject },
    );
    const oldSchema = { document: old.document, value: was.schema };
    const newSchema = { document: now.document, value: is.schema };
    const isDeprecated = isObject?.deprecated === true && wasObject?.deprecated !== true;
    return [
      ...diffNames(was, is, part),
      ...(isDeprecated ? [deprecated(part)] : []),
      ...diffDemand(direction, was, is, part),
      ...diffNotation(
        direction,
        { document: old.document, value: was },
        { document: now.document, value: is },
        part,
      ),
      ...(was.required ? [] : diffDefaults(direction, part, oldSchema, newSchema)),
      ...diffSchemas(direction, part, oldSchema, newSchema),
    ];
  });
}

/**
 * By what a request has in it: a path parameter's place, a header's name in any letters, a whole query
 * without a name. What is only implied, such as `Last-Event-ID`, isn't the contract's to change.
 */
function byKey(operation: DiffedOperation): Map<string, Parameter> {
  const inPath = [...operation.pathTemplate.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  const keyOf = (parameter: Parameter): string => {
    const { name } = parameter;
    if (parameter.isWholeQuery === true) return 'querystring';
    if (parameter.in === 'path') return `path ${inPath.length === 0 ? name : inPath.indexOf(name)}`;
    return `${parameter.in} ${parameter.in === 'header' ? name.toLowerCase() : name}`;
  };
  return new Map(
    operation.parameters
      .filter((parameter) => parameterObject(operation, parameter) !== undefined)
      .map((parameter) => [keyOf(parameter), parameter]),
  );
}

function locationOf({ in: place, name, isWholeQuery }: Parameter): string {
  return isWholeQuery === true ? 'query' : `${place} parameter ${name}`;
}

function added(direction: Direction, parameter: Parameter): Effect {
  const { required } = parameter;
  return {
    breaks: required && direction === 'request',
    direction,
    location: locationOf(parameter),
    what: `${required ? 'required' : 'optional'} parameter added`,
    why: REASONS[direction][required ? 'demanded' : 'offered'],
  };
}

/** A path has the values of its parameters in it, and not their names. */
function diffNames(was: Parameter, is: Parameter, part: Part): Effect[] {
  if (is.in !== 'path' || was.name === is.name) return [];
  return [{ ...part, breaks: false, what: `${was.name} -> ${is.name}`, why: RENAMED }];
}

function diffDemand(direction: Direction, was: Parameter, is: Parameter, part: Part): Effect[] {
  const effects: Effect[] = [];
  const push = (narrows: boolean, what: string) => {
    const breaks = narrows === (direction === 'request');
    const why = REASONS[direction][narrows ? 'narrowed' : 'widened'];
    effects.push({ ...part, direction, breaks, what, why });
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
  return effects;
}

function diffNotation(
  direction: Direction,
  old: Located<Parameter>,
  now: Located<Parameter>,
  part: Part,
): Effect[] {
  const what = changedNotation(old, now);
  if (what === undefined) return [];
  return [{ ...part, direction, breaks: true, what, why: REASONS[direction].notation }];
}

function diffDefaults(direction: Direction, part: Part, old: Located, now: Located): Effect[] {
  const differences = compareDefaults(toConjunction(old), toConjunction(now), direction);
  const root = placeOf(now.document, now.value);
  return differences.map((difference) => toEffect(direction, part, difference, root));
}
