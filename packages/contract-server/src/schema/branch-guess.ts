import { isObject, type ContractDocument } from '../document/document.js';

/** How many references and branches deep a schema is looked at. */
const MAX_DEPTH = 4;

/**
 * Whether a schema could accept a value, from what can be seen without validating: types, constants,
 * required and forbidden members. False is certain, true is a guess.
 */
export function couldAccept(
  document: ContractDocument,
  unresolved: unknown,
  value: unknown,
  depth = 0,
): boolean {
  if (unresolved === false) return false;
  if (!isObject(unresolved) || depth > MAX_DEPTH) return true;
  const could = (schema: unknown, part: unknown): boolean =>
    couldAccept(document, schema, part, depth + 1);
  if (typeof unresolved.$ref === 'string') {
    if (!could(document.lookUp(unresolved.$ref), value)) return false;
    if (document.hasOnlyReference(unresolved)) return true;
  }
  const schema = unresolved;
  if (!hasType(schema.type, schema.nullable === true, value)) return false;
  if (Object.hasOwn(schema, 'const') && !isSame(schema.const, value)) return false;
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isSame(one, value))) return false;
  if (Array.isArray(schema.allOf) && !schema.allOf.every((part) => could(part, value)))
    return false;
  for (const branches of [schema.oneOf, schema.anyOf]) {
    if (Array.isArray(branches) && !branches.some((part) => could(part, value))) return false;
  }
  if (!isObject(value)) return true;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const isMissing = (name: string): boolean =>
    !Object.hasOwn(value, name) &&
    Object.hasOwn(properties, name) &&
    !isReadOnly(document, properties[name], 0);
  if (required.some((name) => isMissing(String(name)))) return false;
  const isClosed = schema.additionalProperties === false && schema.patternProperties === undefined;
  return Object.entries(value).every(([name, member]) =>
    Object.hasOwn(properties, name) ? could(properties[name], member) : !isClosed,
  );
}

/** OpenAPI 3.0.3 §4.7.24: such a member isn't required of a request. */
function isReadOnly(document: ContractDocument, unresolved: unknown, depth: number): boolean {
  if (!isObject(unresolved) || depth > MAX_DEPTH) return false;
  if (unresolved.readOnly === true) return true;
  const parts: unknown[] = Array.isArray(unresolved.allOf)
    ? [...(unresolved.allOf as unknown[])]
    : [];
  if (typeof unresolved.$ref === 'string') parts.push(document.lookUp(unresolved.$ref));
  return parts.some((part) => isReadOnly(document, part, depth + 1));
}

function hasType(type: unknown, isNullable: boolean, value: unknown): boolean {
  if (type === undefined || (isNullable && value === null)) return true;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.some((one) => isOfType(one, value));
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value) || typeof value === 'bigint';
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    default:
      return typeof value === type;
  }
}

/** Scalars only: whether objects are the same is left to the validator. */
function isSame(constant: unknown, value: unknown): boolean {
  if (typeof constant === 'object' && constant !== null) return true;
  if (typeof constant === 'bigint' || typeof value === 'bigint') return true;
  return constant === value;
}
