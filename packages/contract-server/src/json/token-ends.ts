/** The offsets where tokens end, in a JSON text that `JSON.parse` has accepted. */

export const QUOTE = 0x22;
export const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** The end of the white space at an offset, which may be empty. */
export function spaceEnd(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** RFC 8259 §2: the white space between tokens. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The end of a string, behind its closing quote. */
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

/** The end of a number's sign, digits and point, where its exponent begins if it has one. */
export function mantissaEnd(text: string, start: number): number {
  let at = start;
  while (isInMantissa(text.charCodeAt(at))) at++;
  return at;
}

function isInMantissa(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
}

/** The end of a number's exponent, or of `true`, `false` or `null`. */
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
