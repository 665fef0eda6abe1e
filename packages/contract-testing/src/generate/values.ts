import fc from 'fast-check';
import type { Schema } from './operation.js';
import { listOf, membersOf, type Members } from './members.js';
import { fromLiteral, writeJson, type Json } from './json.js';
import { integers, numbers } from './numbers.js';
import { constantsOf, type Alternative, type Schemas } from './schemas.js';
import { toRegExp } from './patterns.js';
import { strings, texts } from './strings.js';

/** Deeper than this, optional members are left out and lists are as short as may be. */
const MAX_DEPTH = 3;
const TRIES = 200;
const SPARE_ITEMS = 3;

/** Makes arbitraries of the values that schemas accept. */
export class Values {
  readonly #made = new Map<string, fc.Arbitrary<Json>>();
  readonly #ids = new Map<Schema, number>();

  constructor(readonly schemas: Schemas) {}

  /**
   * Values that the schema accepts, its bounds and odd texts among them.
   * @throws Error where none was found; the schema needs an `enum`, or something simpler
   */
  valid(schema: Schema, depth = 0): fc.Arbitrary<Json> {
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    const key = `${id} ${depth}`;
    const made = this.#made.get(key) ?? this.#make(schema, depth);
    this.#made.set(key, made);
    return made;
  }

  #make(schema: Schema, depth: number): fc.Arbitrary<Json> {
    const accepts = (value: Json): boolean => this.schemas.accepts(schema, value);
    const ways: fc.Arbitrary<Json>[] = [];
    const problems = new Set<string>();
    for (const alternative of this.schemas.alternatives(schema)) {
      try {
        const way = this.#ofType(alternative, depth);
        const samples = fc.sample(way, { numRuns: TRIES, seed: 1 });
        const refused = samples.filter((value) => !accepts(value));
        if (refused.length < TRIES) ways.push(way);
        for (const value of refused.slice(0, 3)) {
          problems.add(`${writeJson(value)}: ${this.schemas.problemOf(schema, value) ?? ''}`);
        }
      } catch (error) {
        problems.add(String(error));
      }
    }
    if (ways.length === 0) {
      const tried = [...problems].slice(0, 5).join('; ');
      throw new Error(
        `found no value for the schema ${writeJson(fromLiteral(schema))}; tried ${tried}`,
      );
    }
    return fc.oneof(...ways).filter(accepts);
  }

  #ofType(alternative: Alternative, depth: number): fc.Arbitrary<Json> {
    const constants = constantsOf(alternative);
    if (constants !== undefined) return fc.constantFrom(...constants);
    switch (alternative.type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return integers(alternative);
      case 'number':
        return numbers(alternative);
      case 'string':
        return strings(alternative);
      case 'array':
        return this.#arrays(alternative, depth);
      case 'object':
        return this.#objects(alternative, depth);
    }
  }

  #arrays({ parts }: Alternative, depth: number): fc.Arbitrary<Json> {
    const prefix =
      parts.map(({ prefixItems }) => listOf(prefixItems)).find((list) => list.length > 0) ?? [];
    const items = allOf(parts.map((part) => part.items));
    const minLength = Math.max(0, ...parts.map(({ minItems }) => Number(minItems ?? 0)));
    const most = Math.min(...parts.map(({ maxItems }) => Number(maxItems ?? Infinity)));
    const maxLength = Math.min(most, depth >= MAX_DEPTH ? minLength : minLength + SPARE_ITEMS);
    const first = prefix.slice(0, maxLength).map((item) => this.valid(item as Schema, depth + 1));
    if (items === false || maxLength === 0) return fc.tuple(...first);
    const lengths = {
      minLength: Math.max(0, minLength - first.length),
      maxLength: Math.max(0, maxLength - first.length),
    };
    const item = this.valid(items, depth + 1);
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
    const rest = isUnique
      ? fc.uniqueArray(item, { ...lengths, selector: (value) => writeJson(value) })
      : fc.array(item, lengths);
    return fc.tuple(fc.tuple(...first), rest).map(([head, tail]) => [...head, ...tail]);
  }

  #objects({ parts }: Alternative, depth: number): fc.Arbitrary<Json> {
    const required = new Set(parts.flatMap((part) => listOf(part.required).map(String)));
    const declared = new Set(parts.flatMap(({ properties }) => Object.keys(membersOf(properties))));
    const isClosed = parts.some(
      (part) => part.additionalProperties === false || part.unevaluatedProperties === false,
    );
    const members: fc.Arbitrary<[string, Json][]>[] = [];
    for (const name of new Set([...required, ...declared])) {
      const schema = memberSchema(parts, name);
      if (schema === false) continue;
      const present = (): fc.Arbitrary<[string, Json][]> =>
        this.valid(schema, depth + 1).map((value) => [[name, value]]);
      if (required.has(name)) members.push(present());
      else if (depth < MAX_DEPTH)
        members.push(fc.oneof(fc.constant<[string, Json][]>([]), present()));
    }
    const least = Math.max(0, ...parts.map(({ minProperties }) => Number(minProperties ?? 0)));
    const most = Math.min(...parts.map(({ maxProperties }) => Number(maxProperties ?? Infinity)));
    if (!isClosed && depth < MAX_DEPTH) members.push(this.#others(parts, least, most, depth));
    const isInOrder = fc.boolean();
    return fc.tuple(isInOrder, ...members).map(([inOrder, ...found]) => {
      const entries = found.flat();
      return Object.fromEntries(inOrder ? entries : entries.reverse());
    });
  }

  /** Members that no schema names: they are nobody's business, or `additionalProperties` describes them. */
  #others(parts: readonly Members[], least: number, most: number, depth: number) {
    const name = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', '', 'x-unknown', 'naïve', 'a/b~c', '\u{1f335}'),
      texts(0, 8),
      ...parts.flatMap(({ patternProperties }) =>
        Object.keys(membersOf(patternProperties)).map((source) =>
          fc.stringMatching(toRegExp(source)),
        ),
      ),
    );
    const one = name.chain((text): fc.Arbitrary<[string, Json]> => {
      const schema = memberSchema(parts, text);
      const isFree = schema === true || Object.keys(schema).length === 0;
      const value = isFree ? ANYTHING : this.valid(schema, depth + 1);
      return value.map((found) => [text, found]);
    });
    return fc.uniqueArray(one, {
      minLength: 0,
      maxLength: Math.max(0, Math.min(most, least + 2)),
      selector: ([text]) => text,
    });
  }
}

/** What may stand where no schema says anything. */
const ANYTHING: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0n, 2n ** 63n, -1.5, '', '\u{1f335}', [], {}, [[1n]]),
  texts(0, 5),
);

/** All that an object's schemas say of one member. */
export function memberSchema(parts: readonly Members[], name: string): Schema {
  return allOf(
    parts.map((part) => {
      const properties = membersOf(part.properties);
      const patterns = Object.entries(membersOf(part.patternProperties))
        .filter(([source]) => toRegExp(source).test(name))
        .map(([, schema]) => schema);
      if (Object.hasOwn(properties, name)) return allOf([properties[name], ...patterns]);
      return patterns.length > 0 ? allOf(patterns) : part.additionalProperties;
    }),
  );
}

const conjunctions = new Map<Schema, Map<Schema, Schema>>();

/** One schema that says what all of these say; the same one for the same ones. */
export function allOf(schemas: readonly unknown[]): Schema {
  const said = schemas.filter((schema) => schema !== undefined && schema !== true) as Schema[];
  const [first, ...others] = new Set(said);
  if (first === undefined) return true;
  if (said.includes(false)) return false;
  return others.reduce((whole, schema) => {
    const known = conjunctions.get(whole)?.get(schema);
    const both = known ?? { allOf: [whole, schema] };
    conjunctions.set(
      whole,
      (conjunctions.get(whole) ?? new Map<Schema, Schema>()).set(schema, both),
    );
    return both;
  }, first);
}
