import { couldAccept } from './branch-guess.js';
import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import type { JsonValue } from '../json/json-value.js';
import { unicodePattern } from './patterns.js';

/**
 * The integer formats, for the validator, which sees doubles. `parseJson` keeps a double on its
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

/** Gives a validated value its exact integers: `bigint` wherever the schema says int64 or uint64. */
export type Restore = (rounded: unknown, exact: JsonValue) => unknown;

/**
 * What a schema asks for, found once: undefined where it has no int64 anywhere. Of the branches of
 * `oneOf`, `anyOf` and `if` those count that could have accepted the value, as far as types,
 * constants and required members tell; where several could, a place is int64 if one of them says so.
 * `not`, `contains`, `unevaluatedItems` and `unevaluatedProperties` are not followed.
 */
export function compileRestore(document: ContractDocument, schema: Schema): Restore | undefined {
  return new RestoreCompiler(document).compile(schema);
}

const asBigint: Restore = (rounded, exact) => {
  if (typeof exact === 'bigint') return exact;
  return Number.isInteger(rounded) ? BigInt(rounded as number) : rounded; // isInteger: it is a number
};

interface Compiled {
  restore: Restore | undefined;
  isReady: boolean;
}

class RestoreCompiler {
  /** By schema, so that a schema that contains itself is compiled once. */
  readonly #compiled = new Map<unknown, Compiled>();

  constructor(readonly document: ContractDocument) {}

  compile(schema: unknown): Restore | undefined {
    if (!isObject(schema)) return undefined;
    const known = this.#compiled.get(schema);
    // Met inside itself: what it will be is looked up when it is used.
    if (known?.isReady === false)
      return (rounded, exact) => known.restore?.(rounded, exact) ?? rounded;
    if (known !== undefined) return known.restore;
    const entry: Compiled = { restore: undefined, isReady: false };
    this.#compiled.set(schema, entry);
    entry.restore = this.#compileSchema(schema);
    entry.isReady = true;
    return entry.restore;
  }

  #compileSchema(schema: Schema): Restore | undefined {
    const referred =
      typeof schema.$ref === 'string' ? this.compile(this.document.lookUp(schema.$ref)) : undefined;
    if (this.document.hasOnlyReference(schema)) return referred;
    if (schema.format === 'int64' || schema.format === 'uint64') return asBigint;
    const { allOf, dependentSchemas } = schema;
    return inTurn([
      referred,
      this.#compileMembers(schema),
      this.#compileItems(schema),
      ...(Array.isArray(allOf) ? allOf : []).map((part) => this.compile(part)),
      ...Object.values(isObject(dependentSchemas) ? dependentSchemas : {}).map((part) =>
        this.compile(part),
      ),
      this.#compileBranches(schema.oneOf),
      this.#compileBranches(schema.anyOf),
      this.#compileBranches([schema.then, schema.else].filter(isObject)),
    ]);
  }

  #compileBranches(branches: unknown): Restore | undefined {
    if (!Array.isArray(branches)) return undefined;
    const compiled = branches.map((branch: unknown) => ({ branch, restore: this.compile(branch) }));
    if (compiled.every(({ restore }) => restore === undefined)) return undefined;
    return (rounded, exact) => {
      // Chosen before any of them changes the value.
      const chosen = compiled.filter(({ branch }) => couldAccept(this.document, branch, rounded));
      return chosen.reduce((value, { restore }) => restore?.(value, exact) ?? value, rounded);
    };
  }

  #compileMembers(schema: Schema): Restore | undefined {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const patterns = Object.entries(
      isObject(schema.patternProperties) ? schema.patternProperties : {},
    ).flatMap(([source, member]) => {
      const pattern = unicodePattern(source);
      return pattern === undefined
        ? []
        : [{ pattern: new RegExp(pattern, 'u'), restore: this.compile(member) }];
    });
    const others = this.compile(schema.additionalProperties);
    const members = new Map(
      Object.entries(properties).map(([name, member]) => [name, this.compile(member)]),
    );
    const all = [...members.values(), ...patterns.map(({ restore }) => restore), others];
    if (all.every((restore) => restore === undefined)) return undefined;

    const restoreOf = (name: string): Restore | undefined => {
      const matching = patterns.filter(({ pattern }) => pattern.test(name));
      if (matching.length === 0) return members.has(name) ? members.get(name) : others;
      return inTurn([members.get(name), ...matching.map(({ restore }) => restore)]);
    };
    const hasOnlyNamed = patterns.length === 0 && others === undefined;
    const named = [...members].filter(([, restore]) => restore !== undefined);
    const restoresOf = (rounded: object): readonly (readonly [string, Restore | undefined])[] =>
      hasOnlyNamed ? named : Object.keys(rounded).map((name) => [name, restoreOf(name)]);
    return (rounded, exact) => {
      if (!isObject(rounded)) return rounded;
      const exactMembers = isObject(exact) ? exact : {};
      // Written in place: the value was parsed for this request alone.
      const target = rounded as Record<string, unknown>;
      for (const [name, restore] of restoresOf(rounded)) {
        if (restore !== undefined && Object.hasOwn(rounded, name)) {
          target[name] = restore(target[name], exactMembers[name] ?? null);
        }
      }
      return rounded;
    };
  }

  #compileItems(schema: Schema): Restore | undefined {
    const prefix = (Array.isArray(schema.prefixItems) ? schema.prefixItems : []).map((item) =>
      this.compile(item),
    );
    const rest = this.compile(schema.items);
    if ([...prefix, rest].every((restore) => restore === undefined)) return undefined;
    return (rounded, exact) => {
      if (!Array.isArray(rounded)) return rounded;
      const exactItems = Array.isArray(exact) ? exact : [];
      return rounded.map((item: unknown, index) => {
        const restore = index < prefix.length ? prefix[index] : rest;
        return restore === undefined ? item : restore(item, exactItems[index] ?? null);
      });
    };
  }
}

function inTurn(restores: readonly (Restore | undefined)[]): Restore | undefined {
  const steps = restores.filter((restore) => restore !== undefined);
  if (steps.length < 2) return steps[0];
  return (rounded, exact) => steps.reduce((value, step) => step(value, exact), rounded);
}
