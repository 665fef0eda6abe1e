import { randomUUID } from 'node:crypto';

export type JsonValue =
  null | boolean | number | bigint | string | JsonValue[] | { [name: string]: JsonValue };

/** One JSON text, read twice where it has to be. */
export interface ParsedJson {
  /** Every integer exact: a `bigint` where a `number` can't hold it. */
  exact: JsonValue;
  /** The same value with `number`s only, as validators want it; the same object where nothing differs. */
  rounded: JsonValue;
}

/** Not JSON, or JSON that can't be taken exactly. The message says what and where, for the client. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

const MAX_DEPTH = 256;
/** Where integers, written without an exponent, stop being told apart from their rounded doubles. */
const MAX_EXACT_DIGITS = 40;

const MEMBER_COLON = /"\s*:/g;
/** Any number that a double might not hold exactly, and, harmlessly, some text in strings. */
const MAYBE_INEXACT = /\d(?:\.?\d){15}|\d[eE]/;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Reads a JSON text (RFC 8259) without losing anything: integers are exact, a member name that
 * occurs twice and an unpaired surrogate are refused, and so is a number with a fraction that a
 * double can't tell from an integer.
 *
 * Native `JSON.parse` does the reading. Only a text that might hold one of those cases is read again
 * by our own reader, which then may rely on the syntax being right.
 * @throws JsonError
 */
export function parseJson(text: string): ParsedJson {
  const value = parseNative(text);
  const hasDuplicates = countMembers(value, 0) !== (text.match(MEMBER_COLON)?.length ?? 0);
  if (!hasDuplicates && !MAYBE_INEXACT.test(text) && !SURROGATE_ESCAPE.test(text)) {
    return { exact: value, rounded: value };
  }
  const exact = new ExactReader(text).read();
  return { exact, rounded: round(exact) };
}

/** Writes a JSON text; a `bigint` becomes an exact JSON number. Undefined members are left out. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Most texts hold no bigint, and a replacer would slow all of them down; so it is the second try.
    return JSON.stringify(value, markBigint).replace(MARKED_BIGINT, '$1');
  }
}

const BIGINT_MARK = randomUUID();
const MARKED_BIGINT = new RegExp(`"${BIGINT_MARK}(-?\\d+)"`, 'g');

function markBigint(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? BIGINT_MARK + String(value) : value;
}

function parseNative(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue; // what JSON.parse returns without a reviver
  } catch (error) {
    // V8 quotes the text after the first comma; the client knows its own text.
    const reason = error instanceof Error ? error.message.replace(/, (\.\.\.)?".*$| in JSON/gs, '') : '';
    throw new JsonError(reason.charAt(0).toLowerCase() + reason.slice(1));
  }
}

function countMembers(value: JsonValue, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === MAX_DEPTH) throw new JsonError(`it is nested deeper than ${MAX_DEPTH} levels`);
  const children = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) count += countMembers(child, depth + 1);
  return count;
}

/** Reads a text that `JSON.parse` has already accepted. */
class ExactReader {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonValue {
    switch (this.#peek()) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  #object(): JsonValue {
    const object: Record<string, JsonValue> = {};
    for (this.#at++; this.#peek() !== '}'; ) {
      if (this.#peek() === ',') this.#at++;
      this.#peek();
      const name = this.#string();
      this.#path.push(name);
      if (Object.hasOwn(object, name)) throw this.#error('a member name occurs twice');
      this.#peek();
      this.#at++;
      // Assigning to __proto__ would set the prototype instead.
      Object.defineProperty(object, name, {
        value: this.read(),
        enumerable: true,
        writable: true,
        configurable: true,
      });
      this.#path.pop();
    }
    this.#at++;
    return object;
  }

  #array(): JsonValue {
    const array: JsonValue[] = [];
    for (this.#at++; this.#peek() !== ']'; ) {
      if (this.#peek() === ',') this.#at++;
      this.#path.push(array.length);
      array.push(this.read());
      this.#path.pop();
    }
    this.#at++;
    return array;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (this.#isEscaped(end));
    this.#at = end + 1;
    const literal = this.#text.slice(start, end + 1);
    if (!literal.includes('\\')) return literal.slice(1, -1);
    const string = JSON.parse(literal) as string; // a string literal by construction
    if (!string.isWellFormed()) throw this.#error('a string has an unpaired surrogate');
    return string;
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text[at - 1 - backslashes] === '\\') backslashes++;
    return backslashes % 2 === 1;
  }

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const token = NUMBER.exec(this.#text)?.[0] ?? '';
    this.#at += token.length;
    const value = exactNumber(token);
    if (value === undefined) {
      throw this.#error('a number can be held neither as an integer nor as a double');
    }
    return value;
  }

  #literal<Value>(word: string, value: Value): Value {
    this.#at += word.length;
    return value;
  }

  /** Skips white space; the character after it. */
  #peek(): string | undefined {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? '\0')) this.#at++;
    return this.#text[this.#at];
  }

  #error(what: string): JsonError {
    return new JsonError(`${what} at ${pointer(this.#path)}`);
  }
}

const NUMBER = /[-+.\deE]+/y;
const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** The value of a JSON number, integers exact; undefined where a double would turn it into another kind. */
function exactNumber(token: string): number | bigint | undefined {
  const double = Number(token);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER_PARTS.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  if (significant === '') return double;
  if (zeros < 0) return Number.isInteger(double) ? undefined : double;
  if (significant.length + zeros > MAX_EXACT_DIGITS) return Number.isFinite(double) ? double : undefined;
  const integer = BigInt(sign + significant + '0'.repeat(zeros));
  return Number.isSafeInteger(double) ? double : integer;
}

/** The powers of two at which integer formats end; see OpenAPI 3.1 §4.4 and its format registry. */
const FORMAT_BOUNDS = [-(2n ** 63n), 2n ** 63n, 2n ** 64n];

/**
 * The same value in doubles. A double near the end of an integer format stays on its integer's side
 * of that end, so that a validator which sees only the double still judges the format exactly.
 */
function round(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return roundInteger(value);
  if (Array.isArray(value)) return value.map(round);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, round(member)]));
}

function roundInteger(integer: bigint): number {
  const double = Number(integer);
  const bound = FORMAT_BOUNDS.find((end) => Number(end) === double);
  if (bound === undefined || integer >= bound) return double;
  // The next double down: below 2^63 they are 1024 apart, below 2^64 and -2^63 2048.
  return double - (bound === 2n ** 63n ? 1024 : 2048);
}

/** A JSON Pointer (RFC 6901). */
export function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => '/' + String(step).replace(/~/g, '~0').replace(/\//g, '~1')).join('');
}
