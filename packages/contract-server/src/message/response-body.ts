import { Readable } from 'node:stream';
import { writeAndRead } from '../json/json.js';
import type { ExactIntegers } from '../json/exact-integers.js';
import type { BodyKind } from '../operation/media-type.js';

/** What is written: a text, bytes, or bytes that are still to come. */
export type SerializedBody = string | Uint8Array | Readable;

/** A body as it is sent, and the value of it that a schema can check. */
export interface WrittenBody {
  readonly body: SerializedBody;
  /** Undefined where there is no body, or one of bytes, of which a schema says nothing. */
  readonly checked: unknown;
  readonly integers: ExactIntegers;
  /** What the body consists of, where its items are written one by one. */
  readonly items?: AsyncIterable<unknown>;
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
  if (value === undefined) return { body: '', checked: undefined, integers: undefined };
  switch (kind) {
    case 'json': {
      const { text, value: written, integers } = writeAndRead(value);
      return { body: text, checked: written, integers };
    }
    case 'text':
      if (typeof value !== 'string') throw new TypeError(`a ${contentType} body must be a string`);
      return { body: value, checked: value, integers: undefined };
    case 'items':
      if (isAsyncIterable(value)) {
        return { body: '', checked: undefined, integers: undefined, items: value };
      }
      throw new TypeError(`a ${contentType} body must be an async iterable of its items`);
    case 'stream':
      if (typeof value === 'string' || value instanceof Uint8Array || value instanceof Readable) {
        return { body: value, checked: undefined, integers: undefined };
      }
      throw new TypeError(`a ${contentType} body must be a string, a Uint8Array or a Readable`);
  }
}

/** Whether a value can be a body of this kind. */
export function canBe(kind: BodyKind, value: unknown): boolean {
  const isBytes = value instanceof Readable || value instanceof Uint8Array;
  switch (kind) {
    case 'json':
      return !isBytes && !isAsyncIterable(value);
    case 'text':
      return typeof value === 'string';
    case 'items':
      return isAsyncIterable(value);
    case 'stream':
      return isBytes || typeof value === 'string';
  }
}

/** Ends a body that is not sent, so that nothing is held open for it. */
export function discardBody(body: unknown): void {
  if (body instanceof Readable) body.destroy();
  else if (isAsyncIterable(body)) {
    // What it throws while it is ended changes nothing any more.
    body[Symbol.asyncIterator]()
      .return?.()
      .catch(() => undefined);
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
