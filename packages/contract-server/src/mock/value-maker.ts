import { isObject, isReference, type ContractDocument, type Schema } from '../document/document.js';
import { writeJson } from '../json/json.js';
import { isHidden, type Direction } from '../schema/direction.js';
import { listOf } from '../schema/traversal.js';
import { constantsOf } from '../schema/types.js';
import {
  isExact,
  joined,
  memberNames,
  memberSchema,
  typeOfWay,
  waysOf,
  type Way,
} from '../schema/ways.js';
import type { Choices } from './choices.js';
import { madeInteger, madeNumber } from './made-number.js';
import { madeString } from './made-string.js';

/** Deeper than this, optional members are left out and lists are as short as may be. */
const RICH_DEPTH = 6;
/** A value that must be nested deeper is not made. */
const MAX_DEPTH = 40;
/** How often another item is made, at most, for a list whose items must differ. */
const UNIQUE_TRIES = 30;

export interface ValueOptions {
  /** Members that don't travel this way are left out. */
  readonly direction: Direction;
  readonly choices: Choices;
  /** Whether examples and defaults of the schemas stand in for values that would be made. */
  readonly useExamples: boolean;
}

/** Makes one value by its schema. */
export class ValueMaker {
  /** The schemas whose values are being made: one that is met again is a part of itself. */
  readonly #open: Way[] = [];

  constructor(
    readonly document: ContractDocument,
    readonly options: ValueOptions,
  ) {}

  /** A value that most likely keeps the schema; undefined where none can be made. */
  make(schema: unknown): unknown {
    if (this.#open.length > MAX_DEPTH) return undefined;
    const example = this.#exampleOf(schema);
    if (example !== undefined) return structuredClone(example);
    const { choices } = this.options;
    const ways = choices.order(waysOf(this.document, schema));
    // A way that comes back to a schema that is being made might have no end, so it comes last.
    const isRecursive = (way: Way): boolean => this.#isOpenWay(way);
    for (const way of [...ways.filter((one) => !isRecursive(one)), ...ways.filter(isRecursive)]) {
      this.#open.push(way);
      const value = this.#makeOfWay(way);
      this.#open.pop();
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The example that a schema, or what it refers to, gives of the whole value. */
  #exampleOf(schema: unknown): unknown {
    if (!this.options.useExamples || !isObject(schema)) return undefined;
    const [own] = examplesOf(schema);
    if (own !== undefined || !isReference(schema)) return own;
    return this.#exampleOf(this.document.lookUp(schema.$ref));
  }

  #makeOfWay(way: Way): unknown {
    const { choices, useExamples } = this.options;
    const constants = constantsOf(way);
    if (constants !== undefined) {
      const value = constants[choices.pick(constants.length)];
      return isExact(way) && Number.isInteger(value) ? BigInt(value as number) : value; // isInteger
    }
    const type = typeOfWay(way);
    // An example of one part of an object says something of its members.
    const examples = useExamples ? way.flatMap((part) => examplesOf(part).slice(0, 1)) : [];
    switch (type) {
      case undefined:
        return undefined;
      case 'null':
        return null;
      case 'boolean':
        return examples[0] ?? choices.pick(2) === 0;
      case 'integer':
        return examples[0] ?? madeInteger(way, choices);
      case 'number':
        return examples[0] ?? madeNumber(way, choices);
      case 'string':
        return examples[0] ?? madeString(way, choices);
      case 'array':
        return examples[0] ?? this.#makeArray(way);
      case 'object':
        return this.#makeObject(way, examples.filter(isObject));
    }
  }

  #makeArray(way: Way): unknown[] | undefined {
    const { choices } = this.options;
    const prefix = way
      .map(({ prefixItems }) => listOf(prefixItems))
      .find(({ length }) => length > 0);
    const items = joined(way.map((part) => part.items));
    const contained = joined(way.map((part) => part.contains));
    const least = Math.max(0, ...way.map(({ minItems }) => Number(minItems ?? 0)));
    const most = Math.min(...way.map(({ maxItems }) => Number(maxItems ?? Infinity)));
    const isRich = this.#open.length <= RICH_DEPTH && !this.#isOpen(items);
    const wanted = isRich ? Math.max(least, 1 + choices.pick(3)) : least;
    const length = Math.min(most, items === false ? least : wanted);
    const isUnique = way.some(({ uniqueItems }) => uniqueItems === true);

    const made: unknown[] = [];
    const texts = new Set<string>();
    for (let index = 0; index < Math.max(length, contained === true ? 0 : 1); index++) {
      const schema = prefix?.[index] ?? (index === 0 && contained !== true ? contained : items);
      const item = isUnique ? this.#makeUnlike(schema, texts) : this.make(schema);
      if (item === undefined) return index < least ? undefined : made;
      made.push(item);
    }
    return made;
  }

  #makeUnlike(schema: unknown, texts: Set<string>): unknown {
    for (let number = 0; number < UNIQUE_TRIES; number++) {
      const maker = number === 0 ? this : this.#another(number);
      const item = maker.make(schema);
      if (item === undefined) continue;
      const text = writeJson(item);
      if (texts.has(text)) continue;
      texts.add(text);
      return item;
    }
    return undefined;
  }

  #another(number: number): ValueMaker {
    const { choices } = this.options;
    const other = new ValueMaker(this.document, {
      ...this.options,
      choices: choices.another(number),
      useExamples: false,
    });
    other.#open.push(...this.#open);
    return other;
  }

  #makeObject(
    way: Way,
    examples: readonly Readonly<Record<string, unknown>>[],
  ): Record<string, unknown> | undefined {
    const { choices, direction } = this.options;
    const { declared, required } = memberNames(way);
    const most = Math.min(...way.map(({ maxProperties }) => Number(maxProperties ?? Infinity)));
    const least = Math.max(0, ...way.map(({ minProperties }) => Number(minProperties ?? 0)));
    const given = Object.fromEntries(examples.flatMap((example) => Object.entries(example)));
    const members = new Map<string, unknown>();
    const add = (name: string, isNeeded: boolean): boolean => {
      const schema = memberSchema(way, name);
      if (schema === false || isHidden(this.document, schema, direction)) return true;
      if (
        !isNeeded &&
        !Object.hasOwn(given, name) &&
        (this.#isOpen(schema) || this.#open.length > RICH_DEPTH)
      )
        return true;
      const value = Object.hasOwn(given, name) ? given[name] : this.make(schema);
      if (value !== undefined) members.set(name, value);
      return value !== undefined || !isNeeded;
    };
    for (const name of required) if (!add(name, true)) return undefined;
    for (const name of declared) {
      const isWanted = members.size < most && choices.pick(2) === 0;
      if (isWanted && !required.has(name)) add(name, false);
    }
    for (let extra = 1; members.size < least && extra <= 2 * least; extra++) {
      const unused = declared.find((name) => !members.has(name));
      add(unused ?? `member${extra}`, true);
    }
    return Object.fromEntries(members);
  }

  /** Whether making a value of this schema would lead back to one that is being made. */
  #isOpen(schema: unknown): boolean {
    const ways = waysOf(this.document, schema);
    return ways.length > 0 && ways.every((way) => this.#isOpenWay(way));
  }

  #isOpenWay(way: Way): boolean {
    return way.some((part) => this.#open.some((open) => open.includes(part)));
  }
}

/** What a schema gives as an example of its values, `default` included, the best first. */
function examplesOf(schema: Schema): unknown[] {
  return [schema.example, ...listOf(schema.examples), schema.default].filter(
    (value) => value !== undefined,
  );
}
