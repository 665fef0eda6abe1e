import { couldAccept } from './branch-guess.js';
import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import { integersIn, type ExactIntegers } from '../json/exact-integers.js';
import { unicodePattern } from './patterns.js';
import { alternativesOf, partsOf } from './traversal.js';

/**
 * The integer formats, for the validator, which sees doubles. `readJson` keeps a double on its
 * integer's side of a format's end, so comparing doubles is exact.
 */
export const integerFormats = {
  int32: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, -(2 ** 31), 2 ** 31) },
  int64: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, -(2 ** 63), 2 ** 63) },
  uint64: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, 0, 2 ** 64) },
};

function isIntegerIn(n: number, from: number, below: number): boolean {
  return Number.isInteger(n) && n >= from && n < below;
}

/**
 * Gives a validated value a `bigint` wherever its schema says int64 or uint64; arrays and objects are
 * changed in place.
 */
export type ToBigints = (value: unknown, integers: ExactIntegers) => unknown;

/**
 * Compiles the conversion for a schema; undefined where it has no int64 anywhere. Of the branches of
 * `oneOf`, `anyOf` and `if` those count that could have accepted the value, as far as types,
 * constants and required members tell; where several could, a place is int64 if one of them says so.
 * `not`, `contains`, `unevaluatedItems` and `unevaluatedProperties` are not followed.
 */
export function compileToBigints(
  document: ContractDocument,
  schema: Schema,
): ToBigints | undefined {
  return new BigintCompiler(document).compile(schema);
}

const toBigint: ToBigints = (value, integers) => {
  if (typeof integers === 'bigint') return integers;
  return Number.isInteger(value) ? BigInt(value as number) : value; // isInteger: it is a number
};

interface Compiled {
  convert: ToBigints | undefined;
  isReady: boolean;
}

class BigintCompiler {
  /** By schema, so that a schema that contains itself is compiled once. */
  readonly #compiled = new Map<unknown, Compiled>();

  constructor(readonly document: ContractDocument) {}

  compile(schema: unknown): ToBigints | undefined {
    if (!isObject(schema)) return undefined;
    const known = this.#compiled.get(schema);
    // A schema inside itself: its conversion isn't there yet, so it is looked up when it is used.
    if (known?.isReady === false)
      return (value, integers) => known.convert?.(value, integers) ?? value;
    if (known !== undefined) return known.convert;
    const entry: Compiled = { convert: undefined, isReady: false };
    this.#compiled.set(schema, entry);
    entry.convert = this.#compileSchema(schema);
    entry.isReady = true;
    return entry.convert;
  }

  #compileSchema(schema: Schema): ToBigints | undefined {
    const parts = partsOf(this.document, schema).map((part) => this.compile(part));
    if (this.document.hasOnlyReference(schema)) return inTurn(parts);
    if (schema.format === 'int64' || schema.format === 'uint64') return toBigint;
    const { dependentSchemas } = schema;
    return inTurn([
      ...parts,
      this.#compileMembers(schema),
      this.#compileItems(schema),
      ...Object.values(isObject(dependentSchemas) ? dependentSchemas : {}).map((part) =>
        this.compile(part),
      ),
      ...[
        ...alternativesOf(this.document, schema),
        [schema.then, schema.else].filter(isObject),
      ].map((branches) => this.#compileBranches(branches)),
    ]);
  }

  #compileBranches(branches: readonly unknown[]): ToBigints | undefined {
    const compiled = branches.map((branch) => ({ branch, convert: this.compile(branch) }));
    if (compiled.every(({ convert }) => convert === undefined)) return undefined;
    return (value, integers) => {
      // Chosen before any of them changes the value.
      const chosen = compiled.filter(({ branch }) => couldAccept(this.document, branch, value));
      return chosen.reduce((part, { convert }) => convert?.(part, integers) ?? part, value);
    };
  }

  #compileMembers(schema: Schema): ToBigints | undefined {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const patterns = Object.entries(
      isObject(schema.patternProperties) ? schema.patternProperties : {},
    ).flatMap(([source, member]) => {
      const pattern = unicodePattern(source);
      return pattern === undefined
        ? []
        : [{ pattern: new RegExp(pattern, 'u'), convert: this.compile(member) }];
    });
    const others = this.compile(schema.additionalProperties);
    const members = new Map(
      Object.entries(properties).map(([name, member]) => [name, this.compile(member)]),
    );
    const all = [...members.values(), ...patterns.map(({ convert }) => convert), others];
    if (all.every((convert) => convert === undefined)) return undefined;

    const converterOf = (name: string): ToBigints | undefined => {
      const matching = patterns.filter(({ pattern }) => pattern.test(name));
      if (matching.length === 0) return members.has(name) ? members.get(name) : others;
      return inTurn([members.get(name), ...matching.map(({ convert }) => convert)]);
    };
    const hasOnlyNamed = patterns.length === 0 && others === undefined;
    const named = [...members].filter(([, convert]) => convert !== undefined);
    const convertersOf = (value: object): readonly (readonly [string, ToBigints | undefined])[] =>
      hasOnlyNamed ? named : Object.keys(value).map((name) => [name, converterOf(name)]);
    return (value, integers) => {
      if (!isObject(value)) return value;
      // Written in place: the value was parsed for this request alone.
      const target = value as Record<string, unknown>;
      for (const [name, convert] of convertersOf(value)) {
        if (convert !== undefined && Object.hasOwn(value, name)) {
          target[name] = convert(target[name], integersIn(integers, name));
        }
      }
      return value;
    };
  }

  #compileItems(schema: Schema): ToBigints | undefined {
    const prefix = (Array.isArray(schema.prefixItems) ? schema.prefixItems : []).map((item) =>
      this.compile(item),
    );
    const rest = this.compile(schema.items);
    if ([...prefix, rest].every((convert) => convert === undefined)) return undefined;
    return (value, integers) => {
      if (!Array.isArray(value)) return value;
      return value.map((item: unknown, index) => {
        const convert = index < prefix.length ? prefix[index] : rest;
        return convert?.(item, integersIn(integers, index)) ?? item;
      });
    };
  }
}

function inTurn(converters: readonly (ToBigints | undefined)[]): ToBigints | undefined {
  const steps = converters.filter((convert) => convert !== undefined);
  if (steps.length < 2) return steps[0];
  return (value, integers) => steps.reduce((part, step) => step(part, integers), value);
}
