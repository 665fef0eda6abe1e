import { unicodePattern } from '../schema/patterns.js';
import type { Way } from '../schema/ways.js';
import type { Choices } from './choices.js';
import { textMatching } from './pattern-text.js';

/** Two texts for each format: the second is for lists whose items must differ. */
const FORMATS: Readonly<Record<string, readonly [string, string]>> = {
  uuid: ['3fa85f64-5717-4562-b3fc-2c963f66afa6', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  date: ['2026-01-31', '2026-02-28'],
  'date-time': ['2026-01-31T12:00:00Z', '2026-02-28T12:00:00Z'],
  time: ['12:00:00Z', '18:30:00Z'],
  duration: ['PT1H', 'P1D'],
  email: ['someone@example.com', 'another@example.com'],
  'idn-email': ['someone@example.com', 'another@example.com'],
  hostname: ['example.com', 'example.org'],
  'idn-hostname': ['example.com', 'example.org'],
  ipv4: ['192.0.2.1', '192.0.2.2'],
  ipv6: ['2001:db8::1', '2001:db8::2'],
  uri: ['https://example.com/1', 'https://example.com/2'],
  iri: ['https://example.com/1', 'https://example.com/2'],
  url: ['https://example.com/1', 'https://example.com/2'],
  'uri-reference': ['/1', '/2'],
  'iri-reference': ['/1', '/2'],
  'uri-template': ['/{id}', '/{name}'],
  byte: ['dGV4dA==', 'bW9yZQ=='],
  regex: ['^[a-z]+$', '^[0-9]+$'],
  'json-pointer': ['/0', '/1'],
  'relative-json-pointer': ['0', '1'],
};
const WORDS = ['text', 'word', 'line', 'name', 'note', 'term'];
/** How many texts of a pattern are tried, in search of one of the right length that matches every pattern. */
const TRIES = 300;

/** A text that keeps format, patterns and lengths; undefined where none was found. */
export function madeString(way: Way, choices: Choices): string | undefined {
  const min = Math.max(0, ...way.map(({ minLength }) => Number(minLength ?? 0)));
  const max = Math.min(...way.map(({ maxLength }) => Number(maxLength ?? Infinity)));
  const patterns = way.flatMap(({ pattern }) => {
    const source = typeof pattern === 'string' ? unicodePattern(pattern) : undefined;
    return source === undefined ? [] : [new RegExp(source, 'u')];
  });
  const fits = (text: string | undefined): text is string => {
    if (text === undefined) return false;
    const { length } = Array.from(text); // JSON Schema counts characters, not code units
    return length >= min && length <= max && patterns.every((pattern) => pattern.test(text));
  };
  const formatted = way.flatMap(({ format }) => FORMATS[String(format)] ?? []);
  const free = formatted.length > 0 ? formatted : freeTexts(min, max, choices);
  const ready = choices.order(free).find(fits);
  if (ready !== undefined) return ready;
  for (let number = 0; number < TRIES; number++) {
    for (const pattern of patterns) {
      const text = textMatching(pattern, choices, number);
      if (fits(text)) return text;
    }
  }
  return undefined;
}

function freeTexts(min: number, max: number, choices: Choices): string[] {
  const word = choices.isPlain
    ? 'text'
    : `${WORDS[choices.pick(WORDS.length)] ?? ''}${choices.pick(1000)}`;
  const padded = word.padEnd(min, ` ${word}`);
  return [Number.isFinite(max) ? padded.slice(0, max) : padded];
}
