import { Readable } from 'node:stream';
import { writeAndRead } from '../json/json.js';
import type { JsonValue } from '../json/json-value.js';
import type { BodyKind } from '../operation/media-type.js';

/** What is written: a text, bytes, or bytes that are still to come. */
export type SerializedBody = string | Uint8Array | Readable;

/** A body as it leaves, and what of it can be checked against a schema. */
export interface WrittenBody {
  readonly body: SerializedBody;
  /** Undefined where there is no body, or one of bytes, of which a schema says nothing. */
  readonly checked: unknown;
  /** The same with exact integers; see {@link ParsedJson}. */
  readonly exact: JsonValue;
}

/**
 * Turns what a handler returned into what leaves.
 * @throws TypeError where it isn't of the kind that the content type calls for
 * @throws JsonError where it can't be written as JSON that is read back the same
 */
export function writeBody(
  contentType: string | undefined,
  kind: BodyKind,
  value: unknown,
): WrittenBody {
  if (value === undefined) return { body: '', checked: undefined, exact: null };
  switch (kind) {
    case 'json': {
      const { text, exact, rounded } = writeAndRead(value);
      return { body: text, checked: rounded, exact };
    }
    case 'text':
      if (typeof value !== 'string') throw new TypeError(`a ${contentType} body must be a string`);
      return { body: value, checked: value, exact: value };
    case 'stream':
      if (typeof value === 'string' || value instanceof Uint8Array || value instanceof Readable) {
        return { body: value, checked: undefined, exact: null };
      }
      throw new TypeError(`a ${contentType} body must be a string, a Uint8Array or a Readable`);
  }
}
