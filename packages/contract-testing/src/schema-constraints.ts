import { isObject, join, valueAt, type JsonObject } from './document.js';
import { EXACT } from './schemas.js';
import type { SchemaProblem } from './schema-problem.js';
import { CHECKED_FORMATS } from './validator.js';

/** Something that a contract asks of a request, and that a request can break. */
export interface Constraint {
  /** Where the contract asks it. */
  readonly pointer: string;
  /** The schema that has it; empty where it isn't a schema's. */
  readonly at: string;
  /** Whether it has anything to say of such a value: a pattern, of strings only. */
  appliesTo(part: unknown): boolean;
  isBrokenBy(problem: SchemaProblem): boolean;
}

/** The keywords that a value can break by itself, and the values that they are about. */
const KEYWORDS: Readonly<Record<string, (part: unknown) => boolean>> = {
  ...ofAll(() => true, ['type', 'enum', 'const', 'oneOf', 'anyOf', 'not']),
  ...ofAll(isString, ['minLength', 'maxLength', 'pattern', 'format']),
  ...ofAll(isNumber, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
  ...ofAll(isNumber, [EXACT]),
  ...ofAll(isRecord, ['required', 'minProperties', 'maxProperties', 'dependentRequired']),
  ...ofAll(isRecord, ['additionalProperties', 'unevaluatedProperties', 'propertyNames']),
  ...ofAll(Array.isArray, ['minItems', 'maxItems', 'uniqueItems', 'contains', 'unevaluatedItems']),
};

/** The constraints of a schema, and of all that it is made of. */
export function ofSchema(
  schemas: JsonObject,
  pointer: string,
  seen = new Set<string>(),
): Constraint[] {
  const schema = valueAt(schemas, pointer);
  if (!isObject(schema) || Array.isArray(schema) || seen.has(pointer)) return [];
  seen.add(pointer);
  // Nobody is to send it.
  if (schema.readOnly === true) return [];
  const { $ref } = schema;
  const referred = typeof $ref === 'string' ? [decodeURIComponent($ref.slice(1))] : [];
  const parts = SUBSCHEMAS.flatMap(([name, depth]) =>
    below(schema[name], join(pointer, name), depth),
  );
  return [
    ...Object.entries(schema).flatMap(([keyword, value]) =>
      ofKeyword(pointer, keyword, value, schema),
    ),
    ...[...referred, ...parts].flatMap((part) => ofSchema(schemas, part, seen)),
  ];
}

/** Where a keyword has schemas: itself, or one level below. Those of "not" and "if" may be broken freely. */
const SUBSCHEMAS: readonly [string, 0 | 1][] = [
  ...(['items', 'additionalProperties', 'then', 'else', 'unevaluatedProperties'] as const).map(
    (name): [string, 0] => [name, 0],
  ),
  ...(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties', 'patternProperties'] as const).map(
    (name): [string, 1] => [name, 1],
  ),
];

function below(value: unknown, pointer: string, depth: 0 | 1): string[] {
  if (!isObject(value)) return [];
  return depth === 0 ? [pointer] : Object.keys(value).map((name) => join(pointer, name));
}

function ofKeyword(at: string, keyword: string, value: unknown, schema: JsonObject): Constraint[] {
  const appliesTo = KEYWORDS[keyword];
  if (appliesTo === undefined) return [];
  const one = (
    pointer: string,
    isBrokenBy = (problem: SchemaProblem) => problem.keyword === keyword,
  ): Constraint => ({
    pointer,
    at,
    appliesTo,
    isBrokenBy: (problem) => problem.at === at && problem.instance === '' && isBrokenBy(problem),
  });
  const pointer = join(at, keyword);
  if (keyword === 'required' && Array.isArray(value)) {
    return value.map((name: unknown) =>
      one(join(pointer, `(${String(name)})`), ({ missing }) => missing === name),
    );
  }
  if (keyword === EXACT) return value === 'integer' ? [] : [one(join(at, 'format'))];
  if (keyword === 'format') return CHECKED_FORMATS.has(String(value)) ? [one(pointer)] : [];
  if (keyword === 'type' && schema[EXACT] === 'integer') {
    return [one(pointer, (problem) => problem.keyword === 'type' || problem.keyword === EXACT)];
  }
  return CLOSING.includes(keyword) && value !== false ? [] : [one(pointer)];
}

/** Constraints where they are `false`, and else schemas of what others don't name. */
const CLOSING = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'];

function ofAll<Value>(value: Value, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

function isString(part: unknown): boolean {
  return typeof part === 'string';
}

function isNumber(part: unknown): boolean {
  return typeof part === 'number';
}

function isRecord(part: unknown): boolean {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}
