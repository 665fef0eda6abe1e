import { MalformedParameterError } from './malformed-parameter.js';

/** Turns a text as it was sent into the text that was meant. */
export type Decode = (text: string) => string;

/** A text of a request target that needs no decoding; only in a query does a plus need it. */
const PLAIN = /^[!-$&-~]*$/;
const NOT_IN_A_TARGET = /[^!-~]/g;

/**
 * Decodes a part of a request target, once. An octet that should have been encoded is taken for its
 * encoding, as in {@link canonicalPath}.
 * @throws MalformedParameterError where it isn't the percent-encoding of UTF-8 (RFC 3986 §2.1, §2.5)
 */
export function decodeTarget(text: string): string {
  return PLAIN.test(text) ? text : decodePercent(text.replace(NOT_IN_A_TARGET, encodeOctet));
}

/** Decodes what may hold other characters too, such as a cookie's value. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MalformedParameterError('is not valid percent-encoded UTF-8');
  }
}

/**
 * Decodes a name or a value of a query, where a plus is a space. RFC 3986 and RFC 6570 know nothing
 * of that, but HTML forms and URLSearchParams write spaces so, and no client means a plus by it: all
 * of them, RFC 6570's expansion too, write a plus as %2B.
 */
export function decodeQuery(text: string): string {
  return decodeTarget(text.includes('+') ? text.replaceAll('+', '%20') : text);
}

/** Node has a request target as octets, a character each. */
function encodeOctet(octet: string): string {
  return `%${octet.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
