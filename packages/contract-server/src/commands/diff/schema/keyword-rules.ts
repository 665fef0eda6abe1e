import { isDeepStrictEqual } from 'node:util';
import { isNumeric, JSON_TYPES, type JsonType } from '../../../schema/types.js';
import type { Located } from '../change/place.js';
import { compareConstraints, show, type KeywordRule } from './constraints.js';
import { compareDiscriminators } from './discriminators.js';
import type { FlatSchema } from './flat-schema.js';
import { compareFormats } from './formats.js';
import { isSameStructure } from './same-structure.js';

type Numeric = number | bigint;

/** A keyword's values wherever the schema has it. */
function valuesOf<Value>(
  { atoms }: FlatSchema,
  keyword: string,
  isValue: (value: unknown) => value is Value,
): Value[] {
  return atoms.map((atom) => atom[keyword]).filter(isValue);
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isTrue = (value: unknown): value is true => value === true;

/** `minLength: 2` holds wherever `minLength: 3` does. Zero says nothing. */
function atLeast(keyword: string, type: JsonType): KeywordRule {
  return compareConstraints<Numeric>({
    keyword,
    types: [type],
    read: (schema) => valuesOf(schema, keyword, isNumeric).filter((value) => value > 0),
    implies: (stronger, weaker) => stronger >= weaker,
  });
}

function atMost(keyword: string, type: JsonType): KeywordRule {
  return compareConstraints<Numeric>({
    keyword,
    types: [type],
    read: (schema) => valuesOf(schema, keyword, isNumeric),
    implies: (stronger, weaker) => stronger <= weaker,
  });
}

interface Bound {
  readonly limit: Numeric;
  readonly isExclusive: boolean;
}

/** Lower bounds for a sign of 1, upper ones for -1. */
function bound(keyword: 'minimum' | 'maximum', exclusive: string, sign: 1 | -1): KeywordRule {
  return compareConstraints<Bound>({
    keyword,
    beside: [exclusive],
    types: ['integer', 'number'],
    read: ({ atoms, types }) =>
      atoms.flatMap((atom) => {
        const bounds: Bound[] = [];
        // In OpenAPI 3.0 the exclusive keyword is a flag beside the other, in 3.1 a bound of its own.
        const { [keyword]: limit, [exclusive]: other } = atom;
        if (isNumeric(limit)) bounds.push({ limit, isExclusive: other === true });
        if (isNumeric(other)) bounds.push({ limit: other, isExclusive: true });
        return types.has('number') ? bounds : bounds.map((each) => closeOnInteger(each, sign));
      }),
    implies: (stronger, weaker) =>
      stronger.limit === weaker.limit
        ? stronger.isExclusive || !weaker.isExclusive
        : stronger.limit > weaker.limit === (sign === 1),
    show: ({ limit, isExclusive }) => `${limit}${isExclusive ? ' (exclusive)' : ''}`,
  });
}

/** `> 0` is `>= 1` where only integers come. */
function closeOnInteger({ limit, isExclusive }: Bound, sign: 1 | -1): Bound {
  if (typeof limit === 'bigint') {
    return { limit: isExclusive ? limit + BigInt(sign) : limit, isExclusive: false };
  }
  const inside = sign === 1 ? Math.ceil(limit) : Math.floor(limit);
  return { limit: isExclusive && inside === limit ? inside + sign : inside, isExclusive: false };
}

/** As `contentMediaType` it says no more than a string in JSON does, or a file in a form. */
const ANY_BYTES = 'application/octet-stream';

/** Keywords of which only sameness is looked at: what a change of them admits can't be told. */
function opaque(keyword: string, type: JsonType | 'any', beside: readonly string[] = []) {
  return compareConstraints<Located>({
    keyword,
    beside,
    types: type === 'any' ? JSON_TYPES : [type],
    undecidable: true,
    read: ({ atoms, of: { document } }) =>
      atoms
        .filter((atom) => atom[keyword] !== undefined && atom[keyword] !== ANY_BYTES)
        .map((atom) => ({ document, value: [keyword, ...beside].map((name) => atom[name]) })),
    implies: isSameStructure,
    show: () => '',
  });
}

/**
 * How a change of each keyword narrows or widens a schema: by which of its values imply which others
 * (JSON Schema 2020-12 Validation §6, Core §10 and §11). Those about other schemas are in properties.ts, items.ts
 * and alternatives.ts.
 */
export const KEYWORD_RULES: readonly KeywordRule[] = [
  compareConstraints<ReadonlySet<JsonType>>({
    keyword: 'type',
    beside: ['nullable', 'enum', 'const'],
    types: 'always',
    read: ({ types }) => [types],
    implies: (stronger, weaker) => [...stronger].every((type) => weaker.has(type)),
    show: showTypes,
  }),
  compareConstraints<readonly unknown[]>({
    keyword: 'enum',
    beside: ['const'],
    types: JSON_TYPES,
    read: ({ values }) => (values === undefined ? [] : [values]),
    implies: (stronger, weaker) =>
      stronger.every((value) => weaker.some((other) => isDeepStrictEqual(value, other))),
  }),
  bound('minimum', 'exclusiveMinimum', 1),
  bound('maximum', 'exclusiveMaximum', -1),
  compareConstraints<Numeric>({
    keyword: 'multipleOf',
    types: ['integer', 'number'],
    read: (schema) => valuesOf(schema, 'multipleOf', isNumeric),
    implies: (stronger, weaker) => Number.isInteger(Number(stronger) / Number(weaker)),
  }),
  atLeast('minLength', 'string'),
  atMost('maxLength', 'string'),
  compareConstraints<string>({
    keyword: 'pattern',
    types: ['string'],
    undecidable: true,
    read: (schema) => valuesOf(schema, 'pattern', isString),
    implies: (stronger, weaker) => stronger === weaker,
  }),
  compareFormats,
  atLeast('minItems', 'array'),
  atMost('maxItems', 'array'),
  compareConstraints<true>({
    keyword: 'uniqueItems',
    types: ['array'],
    read: (schema) => valuesOf(schema, 'uniqueItems', isTrue),
    implies: () => true,
  }),
  opaque('contains', 'array', ['minContains', 'maxContains']),
  opaque('unevaluatedItems', 'array'),
  atLeast('minProperties', 'object'),
  atMost('maxProperties', 'object'),
  opaque('dependentRequired', 'object'),
  opaque('dependentSchemas', 'object'),
  opaque('contentMediaType', 'string', ['contentSchema']),
  opaque('if', 'any', ['then', 'else']),
  opaque('$dynamicRef', 'any'),
  compareDiscriminators,
];

function showTypes(types: ReadonlySet<JsonType>): string {
  if (types.size === 0) return 'nothing';
  if (types.size === JSON_TYPES.length) return 'anything';
  const names = [...types].filter((type) => type !== 'integer' || !types.has('number'));
  return names.length === 1 ? names.join() : show(names);
}
