export type JsonValue =
  null | boolean | number | bigint | string | JsonValue[] | { [name: string]: JsonValue };

/** How deep objects and arrays may be nested. */
export const MAX_DEPTH = 256;

/** Not JSON, or JSON that can't be taken exactly. The message says what and where, for the client. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}
