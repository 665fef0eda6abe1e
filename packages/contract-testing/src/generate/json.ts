/**
 * A JSON value in which every integer is a `bigint`, so that none is rounded before it is sent; a
 * `number` is one with a fraction, or too large to be written digit by digit.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** How the same value is written: JSON leaves more than one way. */
export interface Spelling {
  readonly escapes: 'needed' | 'beyond ASCII' | 'all';
  readonly space: string;
  readonly integers: 'digits' | 'with fraction' | 'with exponent';
}

export const PLAIN: Spelling = { escapes: 'needed', space: '', integers: 'digits' };

/** The JSON text of a value, integers exact. */
export function writeJson(value: Json, spelling: Spelling = PLAIN): string {
  const { space } = spelling;
  const list = (open: string, items: string[], close: string): string =>
    open + space + items.join(`${space},${space}`) + space + close;
  if (typeof value === 'bigint') return String(value) + INTEGER_ENDS[spelling.integers];
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : String(value);
  if (typeof value === 'string') return writeString(value, spelling);
  if (Array.isArray(value)) {
    return list(
      '[',
      value.map((item) => writeJson(item, spelling)),
      ']',
    );
  }
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${writeString(name, spelling)}${space}:${space}${writeJson(member, spelling)}`,
  );
  return list('{', members, '}');
}

const INTEGER_ENDS = { digits: '', 'with fraction': '.0', 'with exponent': 'e0' } as const;

function writeString(text: string, { escapes }: Spelling): string {
  if (escapes === 'needed') return JSON.stringify(text);
  const escaped = (unit: string): string =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return escapes === 'all'
    ? `"${text.replace(/[^]/g, escaped)}"`
    : JSON.stringify(text).replace(/[^ -~]/g, escaped);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/**
 * Reads a JSON text, integers exact.
 * @throws SyntaxError
 */
export function readJson(text: string): Json {
  // A string can't begin so by itself: every string of the text gets the other mark.
  const marked = text.replace(TOKEN, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : /^-?\d+$/.test(token) ? `"i${token}"` : token,
  );
  return unmark(JSON.parse(marked) as Json); // what JSON.parse returns
}

function unmark(value: Json): Json {
  if (typeof value === 'string')
    return value.startsWith('i') ? BigInt(value.slice(1)) : value.slice(1);
  if (Array.isArray(value)) return value.map(unmark);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.slice(1), unmark(member)]),
  );
}

/** A value of a contract, such as a constant. */
export function fromLiteral(value: unknown): Json {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(fromLiteral);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fromLiteral(member)]),
    );
  }
  return value as Json; // a YAML or JSON document has nothing else
}

/**
 * The value in doubles. A `bigint` becomes the greatest double that isn't above it, so that it stays
 * on its own side of 2^63, which is a double.
 */
export function toDoubles(value: Json): unknown {
  if (typeof value === 'bigint') return greatestDouble(value);
  if (Array.isArray(value)) return value.map(toDoubles);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, toDoubles(member)]),
  );
}

function greatestDouble(value: bigint): number {
  const nearest = Number(value);
  if (!Number.isFinite(nearest) || BigInt(nearest) <= value) return nearest;
  // The next double down is the next bit pattern, towards zero or away from it.
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, nearest);
  view.setBigInt64(0, view.getBigInt64(0) + (nearest > 0 ? -1n : 1n));
  return view.getFloat64(0);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
