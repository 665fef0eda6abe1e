import { randomUUID } from 'node:crypto';
import { joinIntegers, type SplitValue } from './exact-integers.js';
import { refuseDoubledName, scanIntegers } from './exact-scan.js';
import { excerpt } from './excerpt.js';
import { JsonError, MAX_DEPTH, type JsonValue } from './json-value.js';
import { copyPlain } from './plain-copy.js';
import { COLON, spaceEnd } from './token-ends.js';

/**
 * Any number that a double might not hold exactly, looked for from its first digit; any escape that
 * might be half a surrogate pair; and, harmlessly, some text in strings.
 */
const MAYBE_LOSSY = /(?<![\d.])\d(?:\.?\d){15}|\d[eE]|\\u[dD][89a-fA-F]/;

/**
 * Reads a JSON text (RFC 8259) without losing anything: integers are exact, a member name that
 * occurs twice and an unpaired surrogate are refused, and so is a number with a fraction that a
 * double can't tell from an integer.
 *
 * Native `JSON.parse` does the reading. Only a text that might hold one of those cases is scanned as
 * well.
 * @returns the value as validators want it, and its exact integers beside it
 * @throws JsonError
 */
export function readJson(text: string): SplitValue {
  const value = parseNative(text);
  // Fewer members than the text has names: a name occurs twice, or a string looks like a name.
  if (countMembers(value, 0) !== countMemberColons(text)) refuseDoubledName(text);
  return MAYBE_LOSSY.test(text) ? scanIntegers(text, value) : { value, integers: undefined };
}

/**
 * Reads a JSON text as {@link readJson} does, with the exact integers in the value: a `bigint` where a
 * `number` can't hold one.
 * @throws JsonError
 */
export function parseJson(text: string): JsonValue {
  const { value, integers } = readJson(text);
  return joinIntegers(value, integers);
}

/** Writes a JSON text; a `bigint` becomes an exact JSON number. Undefined members are left out. */
export function writeJson(value: unknown): string {
  return writeNative(value) ?? writeBigints(value);
}

/**
 * Writes a JSON text, and returns the value that the text says, so that what is checked is what is
 * sent even if the original changes meanwhile. A plain value is copied, and the copy is written; the
 * text of any other value is read again.
 * @throws JsonError where it can't be read back the same
 */
export function writeAndRead(value: unknown): { text: string } & SplitValue {
  const copy = copyPlain(value);
  if (copy !== undefined) return { text: JSON.stringify(copy), value: copy, integers: undefined };
  const text = writeJson(value);
  return { text, ...readJson(text) };
}

/** Undefined where the value holds a `bigint`, or can't be written at all. */
function writeNative(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Most texts hold no bigint, and a replacer would slow all of them down; so this is the second try. */
function writeBigints(value: unknown): string {
  return JSON.stringify(value, markBigint).replace(MARKED_BIGINT, '$1');
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
    const reason =
      error instanceof Error ? error.message.replace(/, (\.\.\.)?".*$| in JSON/gs, '') : '';
    // V8 quotes a code unit, which may be half a character.
    throw new JsonError(excerpt(reason.charAt(0).toLowerCase() + reason.slice(1)));
  }
}

/**
 * How many members a value has, those of one name counted once.
 * @throws JsonError where it is nested too deep
 */
function countMembers(value: JsonValue, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === MAX_DEPTH) throw new JsonError(`it is nested deeper than ${MAX_DEPTH} levels`);
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, depth + 1);
  } else {
    // A value made by JSON.parse inherits nothing that this would count.
    for (const name in value) count += 1 + countMembers(value[name] ?? null, depth + 1);
  }
  return count;
}

/** The colons after a member name, and, harmlessly, some in strings. */
function countMemberColons(text: string): number {
  let count = 0;
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    if (text.charCodeAt(spaceEnd(text, quote + 1)) === COLON) count++;
  }
  return count;
}
