import { parse } from 'content-type';

/**
 * What a body of a media type is to a handler: a JSON value, a string, or bytes that stream past.
 * JSON and text are validated; bytes are not, since a schema says nothing of them (OpenAPI 3.1
 * §4.8.14.2).
 */
export type BodyKind = 'json' | 'text' | 'stream';

export function bodyKindOf(mediaType: string): BodyKind {
  const type = essence(mediaType);
  if (/[/+]json$/.test(type)) return 'json';
  return type.startsWith('text/') ? 'text' : 'stream';
}

/** Media types that have a form's fields in them, for which there is no reader. */
export function isForm(mediaType: string): boolean {
  return ['multipart/form-data', 'application/x-www-form-urlencoded'].includes(essence(mediaType));
}

/**
 * Of the media types and ranges that a contract declares, the most specific one that a body's type
 * is of: `application/vnd.a+json`, then `application/*+json`, `application/*`, and the range of all.
 */
export function findDeclared(declared: readonly string[], type: string): string | undefined {
  if (declared.includes(type)) return type;
  return declared
    .filter((range) => includes(essence(range), essence(type)))
    .sort((a, b) => specificity(b) - specificity(a))[0];
}

/** A media type in lower case and without its parameters (RFC 9110 §8.3.1). */
function essence(mediaType: string): string {
  return parse(mediaType, { parameters: false }).type;
}

function includes(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true;
  const [prefix, suffix] = range.split('*');
  return suffix !== undefined && type.startsWith(prefix ?? '') && type.endsWith(suffix);
}

function specificity(range: string): number {
  return range.includes('*') ? essence(range).length : Infinity;
}
