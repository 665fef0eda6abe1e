/** Where the tokens of a JSON text end that `JSON.parse` has accepted, by the offsets where they begin. */

export const QUOTE = 0x22;
export const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Of white space, which may be none. */
export function spaceEnd(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** RFC 8259 §2: the white space there is between tokens. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Of a string, its quotes included. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Of a number's sign, digits and point: all of it, unless it has an exponent. */
export function mantissaEnd(text: string, start: number): number {
  let at = start;
  while (isInMantissa(text.charCodeAt(at))) at++;
  return at;
}

function isInMantissa(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
}

/** Of a number's exponent, or of `true`, `false` or `null`. */
export function wordEnd(text: string, start: number): number {
  let at = start;
  while (isInWord(text.charCodeAt(at))) at++;
  return at;
}

function isInWord(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d;
}

export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === 0x45;
}
