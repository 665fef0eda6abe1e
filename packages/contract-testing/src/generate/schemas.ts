import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { valueAt } from '../document.js';
import { addExactKeywords } from '../exact-keywords.js';
import type { Schema } from './operation.js';
import { listOf, lookUp, membersOf, type Members } from './members.js';
import { DOCUMENT_ID, toJsonSchemas, type Side } from './dialect.js';
import { fromLiteral, toDoubles, type Json } from './json.js';
import { toRegExp } from './patterns.js';

export type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** One way in which a value can satisfy a schema: of one type, by all of these schemas at once. */
export interface Alternative {
  readonly type: Type;
  readonly parts: readonly Members[];
}

const TYPES: readonly Type[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Which type a schema without `type` is about, by its keywords. */
const TYPE_BY_KEYWORD: readonly (readonly [RegExp, Type])[] = [
  [/^(properties|required|additionalProperties|m..Properties|patternProperties)$/, 'object'],
  [/^(items|prefixItems|m..Items|uniqueItems)$/, 'array'],
  [/^(pattern|m..Length|format)$/, 'string'],
  [/^(minimum|maximum|exclusiveM.+|multipleOf)$/, 'number'],
];

/** More combinations of branches than these say nothing new. */
const MAX_ALTERNATIVES = 64;

/** The schemas of a contract for one direction, and a validator that isn't the one in production. */
export class Schemas {
  readonly root: Members;
  readonly #ajv = new Ajv2020({
    strict: false,
    // Its own schema of schemas knows no bigint.
    validateSchema: false,
    logger: false,
    code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
  });
  readonly #compiled = new Map<Members, ValidateFunction>();
  /** What is being judged. */
  #value: Json = null;

  constructor(root: Members, side: Side) {
    this.root = toJsonSchemas(root, side);
    // A CommonJS module: its default export is in `default`, whoever imports it.
    addFormats.default(this.#ajv);
    for (const [format, from, below] of [
      ['int32', -(2 ** 31), 2 ** 31],
      ['int64', -(2 ** 63), 2 ** 63],
      ['uint64', 0, 2 ** 64],
    ] as const) {
      const validate = (n: number): boolean => Number.isInteger(n) && n >= from && n < below;
      this.#ajv.addFormat(format, { type: 'number', validate });
    }
    addExactKeywords(this.#ajv, (_part, pointer) => valueAt(this.#value, pointer));
    this.#ajv.addSchema(this.root, DOCUMENT_ID, false, false);
  }

  /** What is wrong with a value; undefined where nothing is. */
  problemOf(schema: Schema, value: Json): string | undefined {
    if (typeof schema === 'boolean') return schema ? undefined : 'nothing is allowed here';
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(schema);
    this.#compiled.set(schema, validate);
    this.#value = value;
    return validate(toDoubles(value)) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  accepts(schema: Schema, value: Json): boolean {
    return this.problemOf(schema, value) === undefined;
  }

  alternatives(schema: Schema): Alternative[] {
    return this.#conjunctions(schema).flatMap((parts) =>
      typesOf(parts).map((type) => ({ type, parts })),
    );
  }

  /** Lists of schemas, of which a value must satisfy all of one list. */
  #conjunctions(schema: Schema): Members[][] {
    if (typeof schema === 'boolean') return schema ? [[]] : [];
    const referred = typeof schema.$ref === 'string' ? [lookUp(this.root, schema.$ref)] : [];
    let lists: Members[][] = [[schema]];
    const multiply = (others: Members[][]): void => {
      lists = lists.flatMap((list) => others.map((other) => [...list, ...other]));
      lists = lists.slice(0, MAX_ALTERNATIVES);
    };
    for (const part of [...referred, ...listOf(schema.allOf)]) {
      multiply(this.#conjunctions(part as Schema));
    }
    for (const branches of [schema.oneOf, schema.anyOf]) {
      if (!Array.isArray(branches)) continue;
      multiply(branches.flatMap((branch) => this.#conjunctions(branch as Schema)));
    }
    return lists;
  }
}

/** The values that `enum` or `const` leaves; undefined where neither says. */
export function constantsOf({ parts }: Alternative): Json[] | undefined {
  const lists = parts.flatMap((part) => {
    if ('const' in part) return [[part.const]];
    return Array.isArray(part.enum) ? [part.enum as unknown[]] : [];
  });
  return lists[0]?.map(fromLiteral);
}

function typeOf(value: Json): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
}

export function isOfType(value: Json, type: Type): boolean {
  return typeOf(value) === type || (type === 'number' && typeof value === 'bigint');
}

function typesOf(parts: readonly Members[]): Type[] {
  const said = parts
    .filter(({ type }) => type !== undefined)
    .map(({ type }) => (Array.isArray(type) ? type : [type]) as Type[]);
  if (said.length > 0) {
    const all: Type[] = [...TYPES, 'integer'];
    const left = all.filter((type) =>
      said.every(
        (types) => types.includes(type) || (type === 'integer' && types.includes('number')),
      ),
    );
    return left.filter((type) => type !== 'integer' || !left.includes('number'));
  }
  const constants = constantsOf({ type: 'null', parts });
  if (constants !== undefined) return [...new Set(constants.map(typeOf))];
  const keywords = parts.flatMap((part) => Object.keys(membersOf(part)));
  const implied = TYPE_BY_KEYWORD.filter(([keyword]) => keywords.some((one) => keyword.test(one)));
  return implied.length > 0 ? implied.map(([, type]) => type) : [...TYPES];
}
