import { isDeepStrictEqual } from 'node:util';
import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import { alternativesOf, partsOf } from './traversal.js';

export const JSON_TYPES = [
  'null',
  'boolean',
  'object',
  'array',
  'string',
  'integer',
  'number',
] as const;

/** A type of JSON Schema. Every integer is a number, too (JSON Schema 2020-12 core §4.2.3). */
export type JsonType = (typeof JSON_TYPES)[number];

/** The types that a schema's own `type` lists; undefined where it has none. */
export function declaredTypes(
  document: ContractDocument,
  { type, nullable }: Schema,
): readonly JsonType[] | undefined {
  if (type === undefined) return undefined;
  const types = [type].flat() as JsonType[]; // keywords are checked at boot, so there are no others
  // OpenAPI 3.0.3 §4.7.24.1: it means something only beside a type; OpenAPI 3.1 has no such keyword.
  return document.isOpenApi30 && nullable === true ? [...types, 'null'] : types;
}

/** The values that every `const` and `enum` of these schemas leaves; undefined where there is none. */
export function constantsOf(schemas: readonly Schema[]): readonly unknown[] | undefined {
  const [first, ...others] = schemas.flatMap((schema): unknown[][] => [
    ...(Array.isArray(schema.enum) ? [schema.enum as unknown[]] : []),
    ...(Object.hasOwn(schema, 'const') ? [[schema.const]] : []),
  ]);
  return first?.filter((value) =>
    others.every((list) => list.some((other) => isDeepStrictEqual(value, other))),
  );
}

/**
 * The types that a schema admits, from all that judges the same value; undefined where nothing says.
 * Without a `type`, the constants say, or what is described: members, or items.
 */
export function typesOf(
  document: ContractDocument,
  schema: unknown,
  outer: readonly unknown[] = [],
): ReadonlySet<JsonType> | undefined {
  if (!isObject(schema) || outer.includes(schema)) return undefined;
  const typesOfPart = (part: unknown): ReadonlySet<JsonType> | undefined =>
    typesOf(document, part, [...outer, schema]);
  const said = [
    document.hasOnlyReference(schema) ? undefined : ownTypes(document, schema),
    ...partsOf(document, schema).map(typesOfPart),
    ...alternativesOf(document, schema).map((branches) => unionOfAll(branches.map(typesOfPart))),
  ].filter((types) => types !== undefined);
  if (said.length === 0) return undefined;
  return said.reduce((all, types) => new Set([...all].filter((type) => types.has(type))));
}

function ownTypes(document: ContractDocument, schema: Schema): ReadonlySet<JsonType> | undefined {
  const declared = declaredTypes(document, schema);
  if (declared !== undefined) return withIntegers(declared);
  const values = constantsOf([schema]) ?? [];
  // An integer may be written as any number is: 1.0 is 1.
  if (values.length > 0)
    return withIntegers(values.map((value) => (isNumeric(value) ? 'number' : typeOfValue(value))));
  if ('properties' in schema || 'additionalProperties' in schema) return new Set(['object']);
  if ('items' in schema || 'prefixItems' in schema) return new Set(['array']);
  return undefined;
}

/** What is in one of these sets or another. */
export function unionOf(sets: Iterable<ReadonlySet<JsonType>>): Set<JsonType> {
  return new Set([...sets].flatMap((types) => [...types]));
}

/** Of alternatives, one that doesn't say admits everything. */
function unionOfAll(
  alternatives: readonly (ReadonlySet<JsonType> | undefined)[],
): ReadonlySet<JsonType> | undefined {
  const said = alternatives.filter((types) => types !== undefined);
  return said.length === 0 || said.length < alternatives.length ? undefined : unionOf(said);
}

/** The types as a set, `integer` included wherever `number` is. */
export function withIntegers(types: readonly JsonType[]): ReadonlySet<JsonType> {
  const all = new Set(types);
  return all.has('number') ? all.add('integer') : all;
}

/** The narrowest type of a value: that of 1 is `integer`. */
export function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumeric(value))
    return typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}

/** Whether a value is of a type; an integer is of both numeric ones. */
export function isOfType(value: unknown, type: JsonType): boolean {
  const own = typeOfValue(value);
  return own === type || (own === 'integer' && type === 'number');
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
