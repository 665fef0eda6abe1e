import { isObject, isReference, type ContractDocument, type Schema } from '../document/document.js';
import { findPointer } from '../json/pointer.js';

/**
 * The schemas that a value must satisfy together with this one: what its `$ref` leads to, and its `allOf`.
 * @throws ContractError where the reference leads nowhere
 */
export function partsOf(document: ContractDocument, schema: Schema): readonly unknown[] {
  if (schema.$ref === undefined) return listOf(schema.allOf);
  const referred = isReference(schema) ? [document.lookUp(schema.$ref)] : [];
  return document.hasOnlyReference(schema) ? referred : [...referred, ...listOf(schema.allOf)];
}

/** The branches of `oneOf`, and those of `anyOf`: a value must satisfy at least one of each list. */
export function alternativesOf(
  document: ContractDocument,
  schema: Schema,
): readonly (readonly unknown[])[] {
  if (document.hasOnlyReference(schema)) return [];
  return [schema.oneOf, schema.anyOf].filter((branches) => Array.isArray(branches));
}

/** The schemas that some values must satisfy: `then`, `else` and `dependentSchemas`. */
export function conditionalsOf(document: ContractDocument, schema: Schema): readonly unknown[] {
  if (document.hasOnlyReference(schema)) return [];
  const { then, else: otherwise, dependentSchemas } = schema;
  return [then, otherwise, ...Object.values(isObject(dependentSchemas) ? dependentSchemas : {})];
}

/**
 * A schema and every other that a value must satisfy with it, each once, the schema itself first. What is
 * nothing but a reference is left out, and `false` is an object.
 */
export function conjunctsOf(document: ContractDocument, schema: unknown): readonly Schema[] {
  // Most schemas are by themselves, and a large contract has many.
  if (isObject(schema) && partsOf(document, schema).length === 0) return [schema];
  const found = collect(schema, (one) => partsOf(document, one));
  return [...found].filter((one) => !isBareReference(document, one));
}

/** The same with every other schema that may judge the value: branches and conditionals. */
export function appliedSchemas(document: ContractDocument, schema: unknown): readonly Schema[] {
  const found = collect(schema, (one) => [
    ...partsOf(document, one),
    ...alternativesOf(document, one).flat(),
    ...conditionalsOf(document, one),
  ]);
  return [...found].filter((one) => !isBareReference(document, one));
}

/** The schema that no value satisfies, `false`, as an object. */
const NOTHING: Schema = { type: [] };

function collect(
  schema: unknown,
  next: (schema: Schema) => readonly unknown[],
  found = new Set<Schema>(),
): ReadonlySet<Schema> {
  const one = schema === false ? NOTHING : schema;
  if (!isObject(one) || found.has(one)) return found;
  found.add(one);
  for (const other of next(one)) collect(other, next, found);
  return found;
}

/** Whether a schema is a reference, and nothing that stands beside it counts. */
export function isBareReference(
  document: ContractDocument,
  schema: unknown,
): schema is { readonly $ref: string } {
  if (!isReference(schema)) return false;
  return document.hasOnlyReference(schema) || Object.keys(schema).length === 1;
}

/** Whether there is a reference anywhere in a value, such as the constant of an `enum`. */
export function hasReference(value: unknown): boolean {
  return findPointer(value, isReference) !== undefined;
}

/** A list as it is; an empty one of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
