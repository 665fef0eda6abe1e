import { isObject, type Schema } from '../document/document.js';
import { mapSchemas } from '../schema/keywords.js';
import { hasReference, listOf } from '../schema/traversal.js';
import { referenceTo } from './normalise/references.js';

/** As much as Ajv compiles in one turn; it takes some 3 ms for each kB of a schema. */
export const MAX_TURN_BYTES = 2000;

/** More than an object with a few members. What is less isn't worth to be compiled by itself. */
const LARGE_BYTES = 500;

/** The length of a schema as JSON, which what it takes to compile it is in proportion to. */
export function sizeOf(schema: unknown): number {
  return JSON.stringify(schema).length;
}

/** No component is called so: their names start with a direction. */
const ANYTHING = 'anything';

/**
 * Normalised schemas under the names by which they refer to each other. Ajv compiles each in one piece,
 * so where one is large, so are the turns; its large inner schemas become parts with names of their own.
 * Those that are the same, as are addresses in many bodies, become one part.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, Schema>([[ANYTHING, {}]]);
  readonly #parts = new Map<string, string>();

  get all(): ReadonlyMap<string, Schema> {
    return this.#schemas;
  }

  /** Adds a component, which many may refer to. */
  addComponent(name: string, schema: Schema): void {
    // Ajv copies a schema without references into each that refers to it (`inlineRefs`), and fills in no
    // defaults where a copy stands below `anyOf`. To be compiled by itself must not change that.
    const isCopied = !hasReference(schema);
    if (isCopied && (sizeOf(schema) <= LARGE_BYTES || hasDefault(schema)))
      this.#schemas.set(name, schema);
    else this.#schemas.set(name, compiledAlone(this.#cut(schema)));
  }

  /** Adds a schema that nothing below `anyOf` and the like refers to. */
  add(name: string, schema: Schema): void {
    this.#schemas.set(name, this.#cut(schema));
  }

  /** @param isFilled whether Ajv fills in the schema's defaults where it stands */
  #cut(schema: Schema, isFilled = true): Schema {
    if (sizeOf(schema) <= MAX_TURN_BYTES) return schema;
    const areFilled = (keyword: string): boolean => isFilled && !UNFILLED.has(keyword);
    const cut = mapInner(schema, (inner, keyword) => this.#cut(inner, areFilled(keyword)));
    if (sizeOf(cut) <= MAX_TURN_BYTES) return cut;
    return mapInner(cut, (inner, keyword) =>
      sizeOf(inner) > LARGE_BYTES && (areFilled(keyword) || !hasDefault(inner))
        ? this.#reference(inner)
        : inner,
    );
  }

  /** A reference to the schema, with the default that an object falls back on beside it. */
  #reference(schema: Schema): Schema {
    const { default: fallback, ...part } = schema;
    const key = JSON.stringify(part);
    const name = this.#parts.get(key) ?? `part_${this.#parts.size}`;
    this.#parts.set(key, name);
    this.#schemas.set(name, compiledAlone(part));
    return { $ref: referenceTo(name), ...('default' in schema && { default: fallback }) };
  }
}

/** Keywords below which Ajv fills in no defaults. */
const UNFILLED: ReadonlySet<string> = new Set([
  ...['anyOf', 'oneOf', 'not', 'if'],
  ...['contains', 'propertyNames'],
]);

/** With a reference in it, Ajv copies a schema nowhere. */
function compiledAlone(schema: Schema): Schema {
  if (hasReference(schema)) return schema;
  return { ...schema, allOf: [{ $ref: referenceTo(ANYTHING) }, ...listOf(schema.allOf)] };
}

function mapInner(schema: Schema, map: (inner: Schema, keyword: string) => Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      mapSchemas(keyword, value, (inner) => (isObject(inner) ? map(inner, keyword) : inner)),
    ]),
  );
}

function hasDefault(schema: Schema): boolean {
  let isFound = 'default' in schema;
  mapInner(schema, (inner) => {
    isFound ||= hasDefault(inner);
    return inner;
  });
  return isFound;
}
