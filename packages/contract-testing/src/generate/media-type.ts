import { isForm } from '../form-field.js';

/** What a body of a media type is made of. */
export type BodyKind = 'json' | 'text' | 'form' | 'items' | 'bytes';

/** The kind of a whole body: of one in a sequence of items, only its schema says that they are some. */
export function bodyKindOf(mediaType: string): Exclude<BodyKind, 'items'> {
  if (isForm(mediaType)) return 'form';
  if (/[/+]json *(?:;|$)/i.test(mediaType)) return 'json';
  return /^text\//i.test(mediaType) ? 'text' : 'bytes';
}

/** Whether a body of this media type may be items that follow each other (OpenAPI 3.2.0 §4.14.3.1). */
export function isSequence(mediaType: string): boolean {
  const isLines = /^application\/(?:jsonl|x-ndjson)\b/i.test(mediaType);
  return isLines || isEvents(mediaType) || isTextSequence(mediaType);
}

export function isEvents(mediaType: string): boolean {
  return /^text\/event-stream\b/i.test(mediaType);
}

/** RFC 7464, and the suffix of RFC 8091. */
export function isTextSequence(mediaType: string): boolean {
  return /[/+]json-seq\b/i.test(mediaType);
}
