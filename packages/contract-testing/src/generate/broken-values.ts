import type { Schema } from './operation.js';
import { listOf, membersOf, type Members } from './members.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import { boundsOf, factorsOf, integerRange, toJson } from './numbers.js';
import { constantsOf, isOfType, type Alternative, type Schemas } from './schemas.js';
import { lengthsOf, LONG_NAMES, patternsOf } from './strings.js';
import { allOf, memberSchema } from './values.js';

/** A value that breaks its schema in one way. */
export interface Breakage {
  /** Which keyword is broken and where, such as `/id: format`. */
  readonly what: string;
  readonly value: Json;
}

const OF_EACH_TYPE: readonly Json[] = [null, true, 7n, 0.5, '', 'x', '7', 'true', [], {}];
const OF_EACH_CHARACTER = ['\u0000', '!', 'a', 'Z', '9', ' ', 'é', '\u{1f335}', '\n', ''];
const MALFORMED = ['', ' ', 'x', '!', '%', '2026-13-45', '999.1.1.1', 'not:a:thing', '{'];

/**
 * Every way to break a valid value by one keyword of its schema: a required member left out, a type
 * swapped, a bound overstepped, an enumeration left. Some of them the schema accepts after all: a
 * keyword elsewhere, such as `anyOf`, may allow what this one refuses. That is for the caller to see,
 * who won't want to judge them all.
 */
export function breakages(schemas: Schemas, schema: Schema, valid: Json): Breakage[] {
  return [...changes(schemas, schema, valid, '')];
}

function* changes(
  schemas: Schemas,
  schema: Schema,
  valid: Json,
  path: string,
): Generator<Breakage> {
  const at = path === '' ? '/' : path;
  for (const value of OF_EACH_TYPE) yield { what: `${at}: type`, value };
  const alternative = schemas
    .alternatives(schema)
    .find(
      ({ type, parts }) =>
        isOfType(valid, type) && parts.every((part) => schemas.accepts(part, valid)),
    );
  if (alternative === undefined) return;
  const label = (keyword: string, values: readonly Json[]): Breakage[] =>
    values.map((value) => ({ what: `${at}: ${keyword}`, value }));
  const constants = constantsOf(alternative);
  if (constants !== undefined) {
    yield* label('enum', constants.flatMap(besides));
  } else if (typeof valid === 'string') {
    yield* stringChanges(alternative, valid, label);
  } else if (typeof valid === 'number' || typeof valid === 'bigint') {
    yield* numberChanges(alternative, label);
  }
  if (Array.isArray(valid)) yield* arrayChanges(schemas, alternative, valid, path, label);
  else if (isJsonObject(valid)) yield* objectChanges(schemas, alternative, valid, path, label);
}

type Label = (keyword: string, values: readonly Json[]) => Breakage[];

function besides(constant: Json): Json[] {
  if (typeof constant === 'string') return [`${constant}x`, constant.toUpperCase(), ` ${constant}`];
  return typeof constant === 'bigint' ? [constant + 1n, constant - 1n] : [];
}

function* stringChanges(alternative: Alternative, valid: string, label: Label) {
  const { min, max } = lengthsOf(alternative);
  const characters = Array.from(valid);
  if (min > 0) yield* label('minLength', [characters.slice(0, min - 1).join('')]);
  if (Number.isFinite(max)) {
    const filler = Array.from({ length: max + 1 }, () => characters[0] ?? 'a');
    yield* label('maxLength', [[...characters, ...filler].slice(0, max + 1).join('')]);
  }
  if (patternsOf(alternative).length > 0) {
    yield* label('pattern', OF_EACH_CHARACTER);
    yield* label(
      'pattern',
      OF_EACH_CHARACTER.flatMap((one) => [valid + one, one + valid]),
    );
  }
  if (alternative.parts.some(({ format }) => format !== undefined)) {
    yield* label('format', [...MALFORMED, `${valid}!`, ` ${valid}`]);
  }
}

function* numberChanges(alternative: Alternative, label: Label) {
  if (alternative.type === 'integer') {
    const { min, max } = integerRange(alternative);
    yield* label('integer', [0.5, 1e-7, 1.5e-300, -1.5]);
    yield* label('least integer', [min - 1n, min - 2n ** 64n]);
    yield* label('greatest integer', [max + 1n, max + 2n ** 64n, 10n ** 30n]);
  }
  for (const { min, max, isMinExclusive, isMaxExclusive } of alternative.parts.map(boundsOf)) {
    if (min !== undefined)
      yield* label('minimum', isMinExclusive ? [toJson(min)] : beyond(min, -1));
    if (max !== undefined) yield* label('maximum', isMaxExclusive ? [toJson(max)] : beyond(max, 1));
  }
  for (const factor of factorsOf(alternative).map(Number)) {
    yield* label('multipleOf', [toJson(factor * 1.5), toJson(factor + 1), toJson(factor * 7.25)]);
  }
}

const beyond = (bound: number | bigint, step: 1 | -1): Json[] =>
  typeof bound === 'bigint'
    ? [bound + BigInt(step)]
    : [toJson(bound + step), toJson(bound + step / 4)];

function* arrayChanges(
  schemas: Schemas,
  { parts }: Alternative,
  valid: Json[],
  path: string,
  label: Label,
) {
  const [first] = valid;
  for (const { minItems, maxItems, uniqueItems } of parts) {
    if (Number(minItems ?? 0) > 0) yield* label('minItems', [valid.slice(0, Number(minItems) - 1)]);
    if (first === undefined) continue;
    if (maxItems !== undefined) {
      const more = Array.from({ length: Number(maxItems) + 1 }, () => first);
      yield* label('maxItems', [[...valid, ...more].slice(0, Number(maxItems) + 1)]);
    }
    if (uniqueItems === true)
      yield* label('uniqueItems', [
        [first, ...valid],
        [first, first],
      ]);
  }
  for (const [index, item] of valid.slice(0, 2).entries()) {
    const prefix = parts.map((part) => listOf(part.prefixItems)[index]);
    const isPrefix = prefix.some((one) => one !== undefined);
    const schema = allOf(isPrefix ? prefix : parts.map((part) => part.items));
    for (const { what, value } of changes(schemas, schema, item, `${path}/${index}`)) {
      yield { what, value: valid.with(index, value) };
    }
  }
}

function* objectChanges(
  schemas: Schemas,
  { parts }: Alternative,
  valid: JsonObject,
  path: string,
  label: Label,
) {
  const { required, names } = membersIn(parts);
  const withMember = (name: string, value: Json): Json =>
    Object.fromEntries([
      ...Object.entries(valid).filter(([other]) => other !== name),
      [name, value],
    ]);
  for (const name of required) {
    const rest = Object.entries(valid).filter(([other]) => other !== name);
    yield* label(`required ${name}`, [Object.fromEntries(rest)]);
  }
  for (const name of new Set([...names, ...Object.keys(valid)])) {
    const schema = memberSchema(parts, name);
    const inner = `${path}/${name}`;
    const member = Object.hasOwn(valid, name) ? valid[name] : undefined;
    if (schema === false) {
      for (const value of OF_EACH_TYPE)
        yield { what: `${inner}: not allowed`, value: withMember(name, value) };
    } else if (member === undefined) {
      for (const value of OF_EACH_TYPE)
        yield { what: `${inner}: type`, value: withMember(name, value) };
    } else if (schema !== true) {
      for (const { what, value } of changes(schemas, schema, member, inner)) {
        yield { what, value: withMember(name, value) };
      }
    }
  }
  yield* label('additionalProperties', [
    ...['x-unknown', '', ...LONG_NAMES].map((name) => withMember(name, 1n)),
    withMember('__proto__', {}),
  ]);
  for (const { minProperties, maxProperties } of parts) {
    const entries = Object.entries(valid);
    if (minProperties !== undefined) {
      yield* label('minProperties', [
        Object.fromEntries(entries.slice(0, Number(minProperties) - 1)),
      ]);
    }
    if (maxProperties !== undefined) {
      const more = Array.from(
        { length: Number(maxProperties) + 1 },
        (_, n) => [`m${n}`, entries[0]?.[1] ?? 1n] as const,
      );
      yield* label('maxProperties', [Object.fromEntries([...entries, ...more])]);
    }
  }
}

function membersIn(parts: readonly Members[]) {
  return {
    required: new Set(parts.flatMap((part) => listOf(part.required).map(String))),
    names: parts.flatMap(({ properties }) => Object.keys(membersOf(properties))),
  };
}
