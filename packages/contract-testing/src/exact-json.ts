import { randomUUID } from 'node:crypto';
import { isObject, join, steps, valueAt } from './document.js';

/** A JSON text as validators want it, and each of its numbers as it was written, by JSON Pointer. */
export interface ExactJson {
  readonly value: unknown;
  readonly numbers: ReadonlyMap<string, string>;
}

const MARK = randomUUID();
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const MAX_DEPTH = 500;

/**
 * Reads a JSON text without losing a digit: every number goes through `JSON.parse` as a marked string.
 * @throws Error where it isn't JSON, or nested too deep to be walked
 */
export function readJson(text: string): ExactJson {
  JSON.parse(text); // of the text itself, whose numbers must be well-formed too
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `"${MARK}${token}"`,
  );
  const numbers = new Map<string, string>();
  const walk = (value: unknown, pointer: string, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`);
    if (typeof value === 'string' && value.startsWith(MARK)) {
      const digits = value.slice(MARK.length);
      numbers.set(pointer, digits);
      return Number(digits);
    }
    if (!isObject(value)) return value;
    if (Array.isArray(value)) {
      return value.map((item, index) => walk(item, join(pointer, index), depth + 1));
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        walk(member, join(pointer, name), depth + 1),
      ]),
    );
  };
  return { value: walk(JSON.parse(marked), '', 0), numbers };
}

/** Writes a JSON text in which a `bigint` is an exact number, and a negative zero stays one. */
export function writeJson(value: unknown): string | undefined {
  // Undefined for undefined, whatever the declaration of JSON.stringify says.
  const text = JSON.stringify(value, (_name, member: unknown) =>
    Object.is(member, -0) ? `${MARK}-0` : typeof member === 'bigint' ? `${MARK}${member}` : member,
  ) as string | undefined;
  return text?.replace(new RegExp(`"${MARK}(-?\\d+)"`, 'g'), '$1');
}

/** What JSON has in place of a value: what its `toJSON` gives, such as a Date's; a Blob stays one. */
export function plainOf(value: unknown): unknown {
  if (!isObject(value) || value instanceof Blob) return value;
  if (typeof value.toJSON === 'function') return (value as { toJSON(): unknown }).toJSON();
  if (Array.isArray(value)) return value.map(plainOf);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plainOf(member)]));
}

/** The value with the numbers at these pointers made exact. */
export function withBigints({ value, numbers }: ExactJson, pointers: Iterable<string>): unknown {
  const copy: { top: unknown } = structuredClone({ top: value });
  for (const pointer of pointers) {
    const integer = exactInteger(numbers.get(pointer) ?? '');
    const [, above = '', name = ''] = /^(.*)\/(.*)$/s.exec(`/top${pointer}`) ?? [];
    const parent = valueAt(copy, above);
    if (integer !== undefined && isObject(parent)) {
      Object.assign(parent, { [steps(`/${name}`).join()]: integer });
    }
  }
  return copy.top;
}

const INTEGER_BITS: Readonly<Record<string, [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** Whether a number, as it is written, is an integer, and one of the format where that is one. */
export function isExactInteger(written: string, format: string): boolean {
  const integer = exactInteger(written);
  if (integer === undefined) return false;
  const [min, max] = INTEGER_BITS[format] ?? [integer, integer];
  return min <= integer && integer <= max;
}

/** A number as it is written: every integer is a `bigint`. */
export function exactNumber(written: string): number | bigint {
  return exactInteger(written) ?? Number(written);
}

/** The integer that a JSON number is; undefined where it has a fraction or more digits than are sane. */
function exactInteger(written: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(written) ?? [];
  if (whole === '') return undefined;
  const digits = whole + fraction;
  if (/^0*$/.test(digits)) return 0n;
  const length = whole.length + Number(power);
  if (length > 1000) return undefined;
  const kept = length > 0 ? digits.slice(0, length).padEnd(length, '0') : '0';
  const rest = length > 0 ? digits.slice(length) : digits;
  return /^0*$/.test(rest) ? BigInt(sign + kept) : undefined;
}
