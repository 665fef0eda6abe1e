import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import { isHidden } from './direction.js';
import { alternativesOf, partsOf } from './traversal.js';
import { declaredTypes, isOfType } from './types.js';

/** How many references and branches deep a schema is looked at. */
const MAX_DEPTH = 4;

/**
 * Whether a schema could accept a value, from what can be seen without validating: types, constants,
 * required and forbidden members. False is certain, true is a guess.
 */
export function couldAccept(
  document: ContractDocument,
  schema: unknown,
  value: unknown,
  depth = 0,
): boolean {
  if (schema === false) return false;
  if (!isObject(schema) || depth > MAX_DEPTH) return true;
  const could: Could = (inner, part) => couldAccept(document, inner, part, depth + 1);
  if (!partsOf(document, schema).every((part) => could(part, value))) return false;
  if (document.hasOnlyReference(schema)) return true;
  if (declaredTypes(document, schema)?.some((type) => isOfType(value, type)) === false)
    return false;
  if (Object.hasOwn(schema, 'const') && !isSame(schema.const, value)) return false;
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isSame(one, value))) return false;
  const couldBranch = (branches: readonly unknown[]): boolean =>
    branches.some((branch) => could(branch, value));
  if (!alternativesOf(document, schema).every(couldBranch)) return false;
  return !isObject(value) || couldHaveMembers(document, schema, value, could);
}

type Could = (schema: unknown, value: unknown) => boolean;

function couldHaveMembers(
  document: ContractDocument,
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  could: Could,
): boolean {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  // OpenAPI 3.0.3 §4.7.24: a readOnly member isn't required of a request.
  const isMissing = (name: string): boolean =>
    !Object.hasOwn(value, name) &&
    Object.hasOwn(properties, name) &&
    !isHidden(document, properties[name], 'request');
  if (required.some((name) => isMissing(String(name)))) return false;
  const isClosed = schema.additionalProperties === false && schema.patternProperties === undefined;
  return Object.entries(value).every(([name, member]) =>
    Object.hasOwn(properties, name) ? could(properties[name], member) : !isClosed,
  );
}

/** Scalars only: whether objects are the same is left to the validator. */
function isSame(constant: unknown, value: unknown): boolean {
  if (typeof constant === 'object' && constant !== null) return true;
  if (typeof constant === 'bigint' || typeof value === 'bigint') return true;
  return constant === value;
}
