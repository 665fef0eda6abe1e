import { excerpt } from '../excerpt.js';
import { exactNumber } from './exact-number.js';
import { JsonError, type JsonValue } from './json-value.js';
import { pointer } from './pointer.js';

const NUMBER = /[-+.\deE]+/y;
/**
 * Reads a JSON text that `JSON.parse` has already accepted, so the syntax is right; what is left is
 * what `JSON.parse` doesn't see or gets wrong.
 */
export class ExactReader {
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
    for (this.#at++; this.#peek() !== '}';) {
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
    for (this.#at++; this.#peek() !== ']';) {
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
    const place = this.#path.length === 0 ? 'the top' : excerpt(pointer(this.#path));
    return new JsonError(`${what} at ${place}`);
  }
}
