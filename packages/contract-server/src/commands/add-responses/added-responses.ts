import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { isObject, isReference, type ContractDocument } from '../../document/document.js';
import { setIn, type AddedValue } from '../../document/insert-text.js';
import { stepsOfFragment } from '../../json/pointer.js';
import { findErrorShape } from '../../mock/error-shape.js';
import { listOperations } from '../../operation/operation.js';
import { listMissingResponses } from '../../pipeline/status-check.js';

/** The name of the response that is added to a contract. */
const RESPONSE = 'ServiceError';

/** Problem details (RFC 9457), for a contract that has no error body of its own. */
const PROBLEM = {
  type: 'object',
  required: ['title', 'status'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
  },
};

/**
 * The responses that a contract must declare, and doesn't, before it can be served: one for all errors,
 * in the shape that most of its own have, and where it is referred to. Empty where it declares them all.
 */
export function addedResponses(document: ContractDocument): AddedValue[] {
  const { operations, unmatched } = listMissingResponses(document);
  if (operations.length === 0 && unmatched.length === 0) return [];
  const response = errorResponse(document);
  const name = nameOf(document, response);
  const reference = { $ref: `#/components/responses/${name}` };
  const added: AddedValue[] = operations.map(({ method, pathTemplate }) => {
    const item = document.root.paths?.[pathTemplate];
    const place = isReference(item) ? stepsOfFragment(item.$ref) : ['paths', pathTemplate];
    const others = document.resolve(item)?.additionalOperations;
    const step =
      isObject(others) && Object.hasOwn(others, method)
        ? ['additionalOperations', method]
        : [method.toLowerCase()];
    return { at: [...place, ...step, 'responses', 'default'], value: reference };
  });
  if (unmatched.includes(204)) {
    const value = { description: 'The methods that the path has, in `Allow`.' };
    added.push({ at: ['x-unmatched-responses', '204'], value });
  }
  if (unmatched.some((status) => status !== 204)) {
    added.push({ at: ['x-unmatched-responses', 'default'], value: reference });
  }
  // Operations behind one reference are the same place.
  const places = new Map(added.map((one) => [one.at.join('\n'), one]));
  if (added.some(({ value }) => value === reference)) {
    places.set(name, { at: ['components', 'responses', name], value: response });
  }
  return [...places.values()];
}

function errorResponse(document: ContractDocument): object {
  const shape = findErrorShape(document, listOperations(document));
  const content = shape
    ? { [shape.mediaType]: { schema: shape.schema } }
    : { 'application/problem+json': { schema: PROBLEM } };
  return { description: 'What the service refuses, or can not do.', content };
}

/** A name under which nothing stands yet, or just this response. */
function nameOf({ root }: ContractDocument, response: object): string {
  const known = root.components?.responses ?? {};
  for (let number = 1; ; number++) {
    const name = number === 1 ? RESPONSE : `${RESPONSE}${number}`;
    if (!Object.hasOwn(known, name) || isDeepStrictEqual(known[name], response)) return name;
  }
}

/** The YAML of added values, to be pasted. */
export function yamlOf(added: readonly AddedValue[]): string {
  const yaml: Record<string, unknown> = {};
  for (const { at, value } of added) setIn(yaml, at, value);
  return stringify(yaml, { aliasDuplicateObjects: false }).trimEnd();
}
