import fc from 'fast-check';
import type { Json } from './json.js';
import { matching, toRegExp } from './patterns.js';
import type { Alternative } from './schemas.js';

/** Texts on which programs have stumbled. */
const SPECIAL = [
  '',
  ' ',
  'a',
  '0',
  'null',
  '__proto__',
  'constructor',
  '"\\/\b\f\n\r\t',
  '\u0001\u007f\u0080',
  '\u2028\u2029',
  '\ufeff\ufffd\uffff',
  'e\u0301 é',
  '白檀',
  '\u{1f335}\u{1f468}\u200d\u{1f33e}',
  '\u{10ffff}',
  '%2F../;,&=#?',
  "' OR 1=1 --",
];

/** Names that no contract has: wherever a message cuts one, it may cut an astral character in two. */
export const LONG_NAMES: readonly string[] = [190, 191, 900].map(
  (length) => `${'a'.repeat(length)}${'\u{1f600}'.repeat(40)}`,
);

/** Every character that UTF-8 can hold, the plain ones more often. */
const CHARACTER: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0x2ff }),
    fc.integer({ min: 0x300, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0xffff }),
    fc.integer({ min: 0x10000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point));

/** Any text of so many characters, as JSON Schema counts them. */
export function texts(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: CHARACTER, minLength, maxLength });
}

const day = fc.integer({ min: 0, max: 80_000 }).map((n) => new Date(n * 86_400_000).toISOString());

/** Made when asked for: some take most of a second to make. */
const FORMATS: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  uuid: () => fc.uuid(),
  date: () => day.map((text) => text.slice(0, 10)),
  'date-time': () =>
    fc
      .tuple(day, fc.constantFrom('Z', '.5Z', '+23:59', '.123456-08:00'))
      .map(([text, end]) => text.slice(0, 19) + end),
  time: () => fc.constantFrom('00:00:00Z', '23:59:59+01:00', '12:30:00.5Z'),
  duration: () => fc.stringMatching(/^P[1-9]\d?D(T[1-9]H)?$/),
  email: () => fc.stringMatching(/^[a-z][a-z\d]{0,8}@[a-z][a-z\d]{0,8}\.org$/),
  hostname: () => fc.domain(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.constantFrom('::', '::1', '2001:db8::8a2e:370:7334', '::ffff:192.0.2.1'),
  uri: () => fc.webUrl(),
  'uri-reference': () => fc.oneof(fc.webUrl(), fc.constantFrom('', '/', 'a/b?c#d', 'about:blank')),
  byte: () => fc.base64String(),
  regex: () => fc.constantFrom('^a+$', '[^]*', ''),
  'json-pointer': () => fc.constantFrom('', '/a~1b/0'),
};

/** By so many samples a way to make strings is judged. */
const TRIES = 60;
/** How much longer than it must be a string gets. */
const SPARE_LENGTH = 24;

export function lengthsOf({ parts }: Alternative): { readonly min: number; readonly max: number } {
  return {
    min: Math.max(0, ...parts.map(({ minLength }) => Number(minLength ?? 0))),
    max: Math.min(...parts.map(({ maxLength }) => Number(maxLength ?? Infinity))),
  };
}

export function patternsOf({ parts }: Alternative): RegExp[] {
  return parts.flatMap(({ pattern }) => (typeof pattern === 'string' ? [toRegExp(pattern)] : []));
}

export function strings(alternative: Alternative): fc.Arbitrary<Json> {
  const { min, max } = lengthsOf(alternative);
  const patterns = patternsOf(alternative);
  const fits = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= min && length <= max && patterns.every((pattern) => pattern.test(text));
  };
  const fitting = (ways: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string>[] =>
    ways.filter((way) => rateOf(way, fits) > 0.05).map((way) => way.filter(fits));
  const formats = alternative.parts.flatMap(({ format }) => FORMATS[String(format)]?.() ?? []);
  const free = formats.length > 0 ? formats : freeStrings(min, max);
  // A pattern that most texts match needs none that are made for it.
  const isLoose = free.some((way) => rateOf(way, fits) === 1);
  const usable = fitting([...free, ...(isLoose ? [] : patterns.flatMap(matching))]);
  if (usable.length === 0) {
    const sources = patterns.map(({ source }) => source).join(' and ');
    throw new Error(`no string of ${min} to ${max} characters was found that matches ${sources}`);
  }
  return fc.oneof(...usable);
}

function rateOf(way: fc.Arbitrary<string>, fits: (text: string) => boolean): number {
  return fc.sample(way, { numRuns: TRIES, seed: 1 }).filter(fits).length / TRIES;
}

function freeStrings(minLength: number, max: number): fc.Arbitrary<string>[] {
  const maxLength = Math.min(max, minLength + SPARE_LENGTH);
  return [
    texts(minLength, maxLength),
    fc.constantFrom(...SPECIAL),
    ...(minLength > 0 ? [texts(minLength, minLength)] : []),
    ...(Number.isFinite(max) ? [texts(max, max)] : []),
  ];
}
