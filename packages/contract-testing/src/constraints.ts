import { child, children, isObject, join, valueAt, type JsonObject } from './document.js';
import { isForm } from './forms.js';
import { isRead } from './message-values.js';
import { isJson, type Operation } from './operations.js';
import { JSON_TEXT } from './request-check.js';
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

/** Every constraint on the requests of an operation: on its parameters, its media types and its body. */
export function listConstraints(
  root: JsonObject,
  requestSchemas: JsonObject,
  { parameters, requestBody }: Operation,
): Constraint[] {
  const ofParameters = parameters.flatMap((parameter) => {
    const { in: where, required } = parameter.value;
    const schema = child(root, parameter, 'schema');
    if (schema === undefined || !isRead(parameter, schema.value)) return [];
    return [
      // Without a parameter of its path, it is a request of another path.
      ...(required === true && where !== 'path' ? [bare(join(parameter.pointer, 'required'))] : []),
      ...ofSchema(requestSchemas, schema.pointer).filter(
        (found) =>
          !isForAnyText(root, found) && !(where === 'path' && isForAnySegment(root, found)),
      ),
    ];
  });
  const content = requestBody && child(root, requestBody, 'content');
  if (requestBody === undefined || content === undefined) return ofParameters;
  const isRequired = requestBody.value.required === true;
  const mediaTypes = children(root, requestBody, 'content').filter(([type]) => isJson(type));
  const forms = children(root, requestBody, 'content').filter(([type]) => isForm(type));
  return [
    ...ofParameters,
    ...(isRequired ? [bare(join(requestBody.pointer, 'required'))] : []),
    ...('*/*' in content.value ? [] : [bare(content.pointer)]),
    ...(mediaTypes.length === 0 ? [] : [bare(join(content.pointer, JSON_TEXT))]),
    ...mediaTypes.flatMap(([, mediaType]) => {
      const schema = child(root, mediaType, 'schema');
      return schema === undefined ? [] : ofSchema(requestSchemas, schema.pointer);
    }),
    ...forms.flatMap(([, mediaType]) => {
      const schema = child(root, mediaType, 'schema');
      if (schema === undefined) return [];
      return ofSchema(requestSchemas, schema.pointer).filter(
        (found) => !isForAnyForm(root, schema.pointer, found),
      );
    }),
  ];
}

/** The constraints of a schema, and of all that it is made of. */
function ofSchema(schemas: JsonObject, pointer: string, seen = new Set<string>()): Constraint[] {
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

/** A parameter is text, or several: that is no constraint. */
function isForAnyText(root: JsonObject, { pointer }: Constraint): boolean {
  const types = pointer.endsWith('/type') ? [valueAt(root, pointer)].flat() : [];
  return types.includes('string') || types.includes('array');
}

/** A form is an object, and what is written once may be a list of one. */
function isForAnyForm(root: JsonObject, form: string, { pointer }: Constraint): boolean {
  const types = pointer.endsWith('/type') ? [valueAt(root, pointer)].flat() : [];
  return pointer === join(form, 'type') || types.includes('array');
}

/** A path with an empty segment is another path. */
function isForAnySegment(root: JsonObject, { pointer }: Constraint): boolean {
  return pointer.endsWith('/minLength') && valueAt(root, pointer) === 1;
}

function bare(pointer: string): Constraint {
  return { pointer, at: '', appliesTo: () => false, isBrokenBy: () => false };
}

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
