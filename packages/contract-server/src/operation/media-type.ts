import { parse } from 'content-type';
import type { MediaTypeObject } from '../document/document.js';

/**
 * What a body of a media type is to a handler: a JSON value, a string, items that follow each other, or
 * bytes that stream past. JSON, text and each item are validated; bytes are not, since a schema says
 * nothing of them (OpenAPI 3.1 §4.8.14.2).
 */
export type BodyKind = 'json' | 'text' | 'items' | 'stream';

export function bodyKindOf(mediaType: string, declared: MediaTypeObject = {}): BodyKind {
  if (itemSchemaOf(declared) !== undefined) return 'items';
  const type = essence(mediaType);
  if (/[/+]json$/.test(type)) return 'json';
  return type.startsWith('text/') ? 'text' : 'stream';
}

/** How the items of a sequential media type follow each other (OpenAPI 3.2.0 §4.14.3.1). */
export type Sequence = 'lines' | 'json-seq' | 'events';

/** Undefined where a media type isn't sequential, or its items can't be read. */
export function sequenceOf(mediaType: string): Sequence | undefined {
  const type = essence(mediaType);
  if (type === 'text/event-stream') return 'events';
  // RFC 8091 §2: a suffix like +json.
  if (/[/+]json-seq$/.test(type)) return 'json-seq';
  return ['application/jsonl', 'application/x-ndjson'].includes(type) ? 'lines' : undefined;
}

/** The schema of each item; before OpenAPI 3.2 an extension says it. */
export function itemSchemaOf(declared: MediaTypeObject): unknown {
  return declared.itemSchema ?? declared['x-item-schema'];
}

/** A request's body may be a form as well, which is read into an object and validated. */
export type RequestBodyKind = BodyKind | FormKind;
export type FormKind = 'urlencoded' | 'multipart';

const FORMS: Readonly<Record<string, FormKind>> = {
  'application/x-www-form-urlencoded': 'urlencoded',
  'multipart/form-data': 'multipart',
};

/** Which kind of form a media type is, as a contract declares it; undefined where it is none. */
export function formKindOf(mediaType: string): FormKind | undefined {
  return FORMS[essence(mediaType)];
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

/**
 * What a body may be sent as where the contract says this: the media type itself, or of a range the usual
 * ones that are in it. A range is no media type that a body could have (RFC 9110 §8.3.1).
 */
export function sendableTypes(declared: string): readonly string[] {
  if (!declared.includes('*')) return [declared];
  return USUAL_TYPES.filter((type) => includes(essence(declared), type));
}

const USUAL_TYPES = ['application/json', 'text/plain', 'application/octet-stream'];

/** Whether two media types or ranges have a type in common, as one of the two includes the other. */
export function overlap(one: string, other: string): boolean {
  return includes(essence(one), essence(other)) || includes(essence(other), essence(one));
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
