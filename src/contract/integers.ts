import type { ContractDocument, Schema } from './document.js';
import { isObject } from './document.js';
import type { JsonValue } from './json-value.js';

/**
 * The integer formats, for the validator, which sees doubles. `parseJson` keeps a double on its
 * integer's side of a format's end, so comparing doubles is exact.
 */
export const integerFormats = {
  int32: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, -(2 ** 31), 2 ** 31) },
  int64: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, -(2 ** 63), 2 ** 63) },
};

function isIntegerIn(n: number, from: number, below: number): boolean {
  return Number.isInteger(n) && n >= from && n < below;
}

/** Gives a validated value its exact integers: `bigint` wherever the schema says `format: int64`. */
export type Restore = (rounded: unknown, exact: JsonValue) => unknown;

/**
 * What a schema asks for, found once: undefined where it has no int64 anywhere. Follows `$ref`,
 * `properties`, `items`, `additionalProperties` and the applicators; a place that several schemas
 * describe is int64 if one of them says so.
 */
export function compileRestore(document: ContractDocument, schema: Schema): Restore | undefined {
  return new RestoreCompiler(document).compile(schema);
}

const asBigint: Restore = (rounded, exact) => {
  if (typeof exact === 'bigint') return exact;
  return Number.isInteger(rounded) ? BigInt(rounded as number) : rounded; // isInteger: it is a number
};

class RestoreCompiler {
  /** By schema, so that a schema that contains itself is compiled once. */
  readonly #compiled = new Map<unknown, { restore: Restore | undefined }>();

  constructor(readonly document: ContractDocument) {}

  compile(unresolved: unknown): Restore | undefined {
    const schema = this.document.resolve(unresolved);
    if (!isObject(schema)) return undefined;
    const known = this.#compiled.get(schema);
    // Met inside itself: what it will be is looked up when it is used.
    if (known !== undefined)
      return known.restore ?? ((rounded, exact) => known.restore?.(rounded, exact) ?? rounded);
    const entry: { restore: Restore | undefined } = { restore: undefined };
    this.#compiled.set(schema, entry);
    entry.restore = this.#compileSchema(schema);
    return entry.restore;
  }

  #compileSchema(schema: Schema): Restore | undefined {
    if (schema.format === 'int64') return asBigint;
    const steps = [
      this.#compileMembers(schema),
      this.#compileItems(schema),
      ...['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => {
        const branches = schema[keyword];
        return Array.isArray(branches) ? branches.map((branch) => this.compile(branch)) : [];
      }),
    ].filter((step) => step !== undefined);
    if (steps.length < 2) return steps[0];
    return (rounded, exact) => steps.reduce((value, step) => step(value, exact), rounded);
  }

  #compileMembers(schema: Schema): Restore | undefined {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const members = new Map<string, Restore>();
    for (const [name, property] of Object.entries(properties)) {
      const restore = this.compile(property);
      if (restore !== undefined) members.set(name, restore);
    }
    const others = this.compile(schema.additionalProperties);
    if (members.size === 0 && others === undefined) return undefined;
    return (rounded, exact) => {
      if (!isObject(rounded)) return rounded;
      const exactMembers = isObject(exact) ? exact : {};
      // Written in place: the value was parsed for this request alone.
      const target = rounded as Record<string, unknown>;
      const restoreMember = (restore: Restore, name: string): void => {
        target[name] = restore(target[name], exactMembers[name] ?? null);
      };
      for (const [name, restore] of members) {
        if (Object.hasOwn(rounded, name)) restoreMember(restore, name);
      }
      if (others !== undefined) {
        for (const name of Object.keys(rounded)) {
          if (!Object.hasOwn(properties, name)) restoreMember(others, name);
        }
      }
      return rounded;
    };
  }

  #compileItems(schema: Schema): Restore | undefined {
    const restore = this.compile(schema.items);
    if (restore === undefined) return undefined;
    return (rounded, exact) => {
      if (!Array.isArray(rounded)) return rounded;
      const exactItems = Array.isArray(exact) ? exact : [];
      return rounded.map((item: unknown, index) => restore(item, exactItems[index] ?? null));
    };
  }
}
