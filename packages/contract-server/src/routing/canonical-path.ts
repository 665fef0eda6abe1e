/** A character that must be encoded in a path: neither a `pchar` (RFC 3986 §3.3) nor the slash. */
const NOT_ITSELF = /[^\w.~!$&'()*+,;=:@/-]/;
const ENCODED_OR_NOT_ITSELF = /%[\dA-Fa-f]{2}|[^\w.~!$&'()*+,;=:@/-]/g;
const MALFORMED = /%(?![\dA-Fa-f]{2})/;
const UNRESERVED = /[\w.~-]/;

/**
 * One spelling for all equivalent ones of a path (RFC 3986 §6.2.2): unreserved characters stand for
 * themselves, what can't is percent-encoded, in capitals. A reserved character and its encoding are
 * not equivalent, so `%2F` is no slash. Nothing else is folded: dot segments and doubled slashes are
 * text.
 * @param octets a character each, as node has a request target
 * @returns undefined where a percent sign begins no encoding
 */
export function canonicalPath(octets: string): string | undefined {
  if (!NOT_ITSELF.test(octets)) return octets;
  if (MALFORMED.test(octets)) return undefined;
  return octets.replace(ENCODED_OR_NOT_ITSELF, (found) => {
    if (found.length === 1) return encodeOctet(found.charCodeAt(0));
    const character = String.fromCharCode(parseInt(found.slice(1), 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

/** The canonical path of text, which is UTF-8 on the wire. */
export function canonicalText(text: string): string | undefined {
  return canonicalPath(Buffer.from(text, 'utf8').toString('latin1'));
}

function encodeOctet(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
}
