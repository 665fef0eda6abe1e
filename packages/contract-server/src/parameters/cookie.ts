import { parsePairs, type Pair } from './query-string.js';

/** Cookies stand by themselves; in style form, exploded values are parted by `&` as in a query. */
const COOKIES = /;/;
const EXPLODED_COOKIES = /[;&]/;

/**
 * The pairs of a Cookie header (RFC 6265 §4.2.1), texts as they were sent but without the quotes that
 * §4.1.1 allows around them. Never fails: most cookies are none of the contract's business.
 */
export function parseCookies(header: string, isExploded: boolean): Pair[] {
  return parsePairs(header, isExploded ? EXPLODED_COOKIES : COOKIES, (name) => name).map(
    ({ name, text }) => ({ name: name.trim(), text: unquote(text.trim()) }),
  );
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
