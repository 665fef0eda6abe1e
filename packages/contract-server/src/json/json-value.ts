export type JsonValue =
  null | boolean | number | bigint | string | JsonValue[] | { [name: string]: JsonValue };

/** One JSON text, read. */
export interface ParsedJson {
  /** Every integer exact: a `bigint` where a `number` can't hold it. */
  exact: JsonValue;
  /** The same value with `number`s only, as validators want it; what doesn't differ is the same object. */
  rounded: JsonValue;
}

/** How deep objects and arrays may be nested. */
export const MAX_DEPTH = 256;

/** Not JSON, or JSON that can't be taken exactly. The message says what and where, for the client. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}
