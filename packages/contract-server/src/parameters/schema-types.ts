import { isObject, isReference, type ContractDocument, type Schema } from '../document/document.js';

export type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/**
 * The types that a schema admits; undefined where it doesn't say. Looks through `$ref`, `allOf`,
 * `oneOf` and `anyOf`, and at what a schema without `type` lists or describes.
 */
export function typesOf(
  document: ContractDocument,
  schema: unknown,
  outer: readonly unknown[] = [],
): ReadonlySet<JsonType> | undefined {
  const [own, ...referred] = dereference(document, schema);
  if (own === undefined || outer.includes(own)) return undefined;
  const inner = [...outer, own];
  const typesIn = (keyword: string): (ReadonlySet<JsonType> | undefined)[] =>
    listAt(own, keyword).map((branch) => typesOf(document, branch, inner));
  const said = [
    ownTypes(own, isOpenApi30(document)),
    ...referred.map((other) => typesOf(document, other, inner)),
    ...typesIn('allOf'),
    unionOfAll(typesIn('oneOf')),
    unionOfAll(typesIn('anyOf')),
  ].filter((types) => types !== undefined);
  if (said.length === 0) return undefined;
  return said.reduce((all, types) => new Set([...all].filter((type) => types.has(type))));
}

/** A schema and every schema that it applies to the same value, each once. */
export function flattenSchema(
  document: ContractDocument,
  schema: unknown,
  found = new Set<Schema>(),
): ReadonlySet<Schema> {
  for (const part of dereference(document, schema)) {
    if (found.has(part)) continue;
    found.add(part);
    for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
      for (const branch of listAt(part, keyword)) flattenSchema(document, branch, found);
    }
  }
  return found;
}

/** What is in one of these types or another. */
export function unionOf(sets: Iterable<ReadonlySet<JsonType>>): Set<JsonType> {
  return new Set([...sets].flatMap((types) => [...types]));
}

/** A list at a keyword; empty where there is none. */
export function listAt(schema: Schema, keyword: string): readonly unknown[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
}

/** Of alternatives, one that doesn't say admits everything. */
function unionOfAll(
  alternatives: readonly (ReadonlySet<JsonType> | undefined)[],
): ReadonlySet<JsonType> | undefined {
  const said = alternatives.filter((types) => types !== undefined);
  return said.length === 0 || said.length < alternatives.length ? undefined : unionOf(said);
}

/** In OpenAPI 3.1 what stands beside a `$ref` counts too; in 3.0 it is ignored. */
function dereference(document: ContractDocument, schema: unknown): Schema[] {
  if (!isReference(schema)) return isObject(schema) ? [schema] : [];
  const target = document.resolve<unknown>(schema);
  const isAlone = Object.keys(schema).length === 1 || isOpenApi30(document);
  return [target, ...(isAlone ? [] : [withoutRef(schema)])].filter(isObject);
}

function withoutRef(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$ref'));
}

function isOpenApi30(document: ContractDocument): boolean {
  return document.root.openapi.startsWith('3.0.');
}

function ownTypes(schema: Schema, hasNullable: boolean): ReadonlySet<JsonType> | undefined {
  const { type, nullable } = schema;
  const named = typeof type === 'string' ? [type] : listAt(schema, 'type');
  // OpenAPI 3.0.3 §4.7.24.1: it means something only beside a type; OpenAPI 3.1 has no such keyword.
  const isNullable = hasNullable && nullable === true;
  if (named.length > 0) return typeSet(isNullable ? [...named, 'null'] : named);
  const values = 'const' in schema ? [schema.const] : listAt(schema, 'enum');
  if (values.length > 0) return typeSet(values.map(typeOfValue));
  if ('properties' in schema || 'additionalProperties' in schema) return typeSet(['object']);
  if ('items' in schema || 'prefixItems' in schema) return typeSet(['array']);
  return undefined;
}

function typeSet(names: readonly unknown[]): ReadonlySet<JsonType> {
  const types = new Set(names as JsonType[]); // the document is valid, so there are no others
  // Every integer is a number (JSON Schema 2020-12, Core §4.2.3).
  return types.has('number') ? types.add('integer') : types;
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}
