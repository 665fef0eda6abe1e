import { couldAccept } from './branch-guess.js';
import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import { integersIn, type ExactIntegers } from '../json/exact-integers.js';
import { unicodePattern } from './patterns.js';
import { alternativesOf, partsOf } from './traversal.js';

/** Returns a value with every part that a schema gives another form in that form. */
export type Convert = (value: unknown, integers: ExactIntegers) => unknown;

export interface ConversionOptions {
  /** The conversion of values that a schema judges by itself; undefined where there is none. */
  readonly convertOf: (schema: Schema) => Convert | undefined;
  /** Whether objects are changed in place: they were made for this request alone. */
  readonly inPlace: boolean;
}

interface Compiled {
  convert: Convert | undefined;
  isReady: boolean;
}

/**
 * Compiles the conversions of what the schemas of a contract describe, each schema once, whatever refers
 * to it. Of the branches of `oneOf`, `anyOf` and `if` those count that could have accepted a request's
 * value, as far as types, constants and required members tell, and all of them for a response's. `not`,
 * `contains`, `unevaluatedItems` and `unevaluatedProperties` are not followed.
 */
export class Conversions {
  readonly #compiled = new Map<unknown, Compiled>();

  constructor(
    readonly document: ContractDocument,
    readonly options: ConversionOptions,
  ) {}

  /** The conversion of a value; undefined where the schema converts nothing. */
  compile(schema: unknown): Convert | undefined {
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

  #compileSchema(schema: Schema): Convert | undefined {
    const parts = partsOf(this.document, schema).map((part) => this.compile(part));
    if (this.document.hasOnlyReference(schema)) return inTurn(parts);
    const own = this.options.convertOf(schema);
    if (own !== undefined) return inTurn([...parts, own]);
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

  #compileBranches(branches: readonly unknown[]): Convert | undefined {
    const compiled = branches.map((branch) => ({ branch, convert: this.compile(branch) }));
    if (compiled.every(({ convert }) => convert === undefined)) return undefined;
    return (value, integers) => {
      // Chosen before any of them changes the value.
      const chosen = this.options.inPlace
        ? compiled.filter(({ branch }) => couldAccept(this.document, branch, value))
        : compiled;
      return chosen.reduce((part, { convert }) => convert?.(part, integers) ?? part, value);
    };
  }

  #compileMembers(schema: Schema): Convert | undefined {
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

    const converterOf = (name: string): Convert | undefined => {
      const matching = patterns.filter(({ pattern }) => pattern.test(name));
      if (matching.length === 0) return members.has(name) ? members.get(name) : others;
      return inTurn([members.get(name), ...matching.map(({ convert }) => convert)]);
    };
    const { inPlace } = this.options;
    const hasOnlyNamed = patterns.length === 0 && others === undefined;
    const named = [...members].filter(([, convert]) => convert !== undefined);
    const convertersOf = (value: object): readonly (readonly [string, Convert | undefined])[] =>
      hasOnlyNamed ? named : Object.keys(value).map((name) => [name, converterOf(name)]);
    return (value, integers) => {
      // What is written in its own way has no members.
      if (!isObject(value) || typeof value.toJSON === 'function') return value;
      const target = inPlace ? (value as Record<string, unknown>) : { ...value }; // of the request alone
      for (const [name, convert] of convertersOf(value)) {
        if (convert !== undefined && Object.hasOwn(value, name)) {
          target[name] = convert(target[name], integersIn(integers, name));
        }
      }
      return target;
    };
  }

  #compileItems(schema: Schema): Convert | undefined {
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

function inTurn(converters: readonly (Convert | undefined)[]): Convert | undefined {
  const steps = converters.filter((convert) => convert !== undefined);
  if (steps.length < 2) return steps[0];
  return (value, integers) => steps.reduce((part, step) => step(part, integers), value);
}
