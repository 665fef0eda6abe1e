import { excerpt } from './excerpt.js';
import { JsonError } from './json-value.js';
import { pointer } from './pointer.js';
import { isLetter, mantissaEnd, QUOTE, spaceEnd, stringEnd, wordEnd } from './token-ends.js';

const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Where a walk is: in an array or an object; undefined where it is at the value of the whole text. */
export type Place<Note> = Container<Note> | undefined;

export interface Container<Note> {
  readonly parent: Place<Note>;
  readonly depth: number;
  isArray: boolean;
  /** The index of the item that the walk is at, or where in the text the member's name begins. */
  at: number;
  /** Written and read by the visitor alone, while the walk is inside. */
  note: Note | undefined;
}

/** Is told where the tokens of the text begin and end. */
export interface Visitor<Note> {
  onName?(object: Container<Note>): void;
  /** Called for names, too. */
  onString?(start: number, end: number, place: Place<Note>): void;
  /** @param exponent where the exponent begins, or the number ends */
  onNumber?(start: number, exponent: number, end: number, place: Place<Note>): void;
}

/**
 * Steps over a JSON text that `JSON.parse` has accepted. It builds no values, and so takes less time
 * than `JSON.parse`.
 */
export class TextWalk<Note> {
  readonly #text: string;
  readonly #visitor: Visitor<Note>;
  #offset = 0;
  /** One for each depth: an object for each bracket of a large text would be most of the walk's cost. */
  readonly #containers: Container<Note>[] = [];

  constructor(text: string, visitor: Visitor<Note>) {
    this.#text = text;
    this.#visitor = visitor;
  }

  /** Steps over the value that stands next. */
  value(place: Place<Note>): void {
    const first = this.#next();
    if (first === OPENING_BRACE) this.#object(this.#enter(place, false));
    else if (first === OPENING_BRACKET) this.#array(this.#enter(place, true));
    else if (first === QUOTE) this.#string(place);
    else if (isLetter(first)) this.#offset = wordEnd(this.#text, this.#offset);
    else this.#number(place);
  }

  #enter(parent: Place<Note>, isArray: boolean): Container<Note> {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const container = (this.#containers[depth] ??= {
      parent,
      depth,
      isArray,
      at: 0,
      note: undefined,
    });
    container.isArray = isArray;
    container.at = 0;
    container.note = undefined;
    return container;
  }

  #object(object: Container<Note>): void {
    this.#offset++;
    while (this.#next() !== CLOSING_BRACE) {
      object.at = this.#offset;
      this.#string(object.parent);
      this.#visitor.onName?.(object);
      this.#next();
      this.#offset++; // the colon
      this.value(object);
      if (this.#next() === COMMA) this.#offset++;
    }
    this.#offset++;
  }

  #array(array: Container<Note>): void {
    this.#offset++;
    for (; this.#next() !== CLOSING_BRACKET; array.at++) {
      this.value(array);
      if (this.#next() === COMMA) this.#offset++;
    }
    this.#offset++;
  }

  #string(place: Place<Note>): void {
    const start = this.#offset;
    this.#offset = stringEnd(this.#text, start);
    this.#visitor.onString?.(start, this.#offset, place);
  }

  #number(place: Place<Note>): void {
    const start = this.#offset;
    const exponent = mantissaEnd(this.#text, start);
    this.#offset = wordEnd(this.#text, exponent);
    this.#visitor.onNumber?.(start, exponent, this.#offset, place);
  }

  /** Skips white space; the character after it. */
  #next(): number {
    this.#offset = spaceEnd(this.#text, this.#offset);
    return this.#text.charCodeAt(this.#offset);
  }
}

/** The name or the index that a walk over the text is at. */
export function stepAt(text: string, { isArray, at }: Container<unknown>): string | number {
  return isArray ? at : readString(text.slice(at, stringEnd(text, at)));
}

/** The value of a string literal. */
export function readString(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1); // a string by construction
}

/** An error whose message ends with the JSON Pointer of its place. */
export function errorAt(text: string, place: Place<unknown>, what: string): JsonError {
  const path: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) path.unshift(stepAt(text, at));
  return new JsonError(`${what} at ${path.length === 0 ? 'the top' : excerpt(pointer(path))}`);
}
