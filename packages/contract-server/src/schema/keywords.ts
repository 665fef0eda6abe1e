import { isObject } from '../document/document.js';

/** Keywords whose value is a schema, or a list of schemas (JSON Schema 2020-12 core §10 and §11). */
const SCHEMAS: ReadonlySet<string> = new Set([
  ...['allOf', 'oneOf', 'anyOf', 'not', 'if', 'then', 'else'],
  ...['items', 'prefixItems', 'contains', 'unevaluatedItems'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedProperties'],
]);
/** Keywords whose value has a schema under each name. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/**
 * The value of a keyword with each schema in it replaced by another, or left out of a map where it is
 * replaced by undefined. The same value where nothing changes, or where the keyword has no schemas.
 */
export function mapSchemas(
  keyword: string,
  value: unknown,
  map: (schema: unknown) => unknown,
): unknown {
  if (MAPS.has(keyword)) return mapMembers(value, (_name, schema) => map(schema));
  if (!SCHEMAS.has(keyword)) return value;
  if (!Array.isArray(value)) return map(value);
  const mapped = value.map(map);
  return mapped.every((schema, index) => schema === value[index]) ? value : mapped;
}

/** An object with its members mapped, those left out that are mapped to undefined; itself if none changes. */
export function mapMembers(
  value: unknown,
  map: (name: string, member: unknown) => unknown,
): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  const mapped = members.map(([name, member]) => [name, map(name, member)] as const);
  if (mapped.every(([, member], index) => member === members[index]?.[1])) return value;
  return Object.fromEntries(mapped.filter(([, member]) => member !== undefined));
}
