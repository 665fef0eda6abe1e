import { readAs } from './malformed-parameter.js';
import { decodeQuery } from './percent-encoding.js';

/** A name, decoded, and its text as it was sent: its delimiters must be found before it is decoded. */
export interface Pair {
  readonly name: string;
  readonly text: string;
}

/**
 * The pairs of a query, or of a form that is written like one, in order. A name without `=` has an empty
 * text.
 * @throws ApiError 40004 where a name is malformed
 */
export function parseQuery(query: string, location: 'query' | 'body' = 'query'): Pair[] {
  return parsePairs(query, '&', (name) => readAs({ in: location, name }, () => decodeQuery(name)));
}

/** The pairs of a text; two separators with nothing between them are one. */
export function parsePairs(
  text: string,
  separator: string | RegExp,
  decodeName: (name: string) => string,
): Pair[] {
  const pairs: Pair[] = [];
  for (const part of text.split(separator)) {
    if (part === '') continue;
    const at = part.indexOf('=');
    pairs.push(
      at === -1
        ? { name: decodeName(part), text: '' }
        : { name: decodeName(part.slice(0, at)), text: part.slice(at + 1) },
    );
  }
  return pairs;
}
