import { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { malformedForm } from './malformed-form.js';
import { readPartHeader, type PartHeader } from './part-header.js';
import type { FormBody } from './received-form.js';

/** A part of a multipart body, its content still to come. */
export interface Part extends PartHeader {
  /** It must be read to its end before the next part comes. */
  readonly content: AsyncIterable<Buffer>;
}

/**
 * The parts of a multipart body (RFC 2046 §5.1.1) as they come. The body is read no faster than they
 * are; an error of the body, or of its form, fails the part that is being read.
 * @throws ApiError 400, and what the body fails with
 */
export function parseParts(body: FormBody, boundary: string): AsyncIterableIterator<Part> {
  const dicer = new Dicer({ boundary });
  const parts = new Readable({ objectMode: true, read: () => undefined });
  /** The part whose header is still to come, and the one whose content is. */
  let isInHeader = false;
  let current: Readable | undefined;
  let failure: Error | undefined;

  function fail(error: Error): void {
    failure ??= error;
    current?.destroy(error);
    parts.destroy(error);
    dicer.destroy();
  }
  /** The parser has an error of its own for a part that is cut off. */
  async function* bytesOf(content: Readable): AsyncGenerator<Buffer, void> {
    try {
      yield* content;
    } catch (error) {
      throw failure ?? error;
    }
  }
  dicer.on('part', (content) => {
    // The parser drops a part whose header a boundary cuts off.
    if (isInHeader) fail(cutOff());
    isInHeader = true;
    current = content;
    // Without a listener, the error of a part that nobody reads would end the process.
    content.on('error', () => undefined);
    content.on('header', (lines) => {
      isInHeader = false;
      try {
        const header = readPartHeader(lines as PartHeader['headers']);
        parts.push({ ...header, content: bytesOf(content) });
      } catch (error) {
        fail(error as Error); // what is thrown there is one
      }
    });
  });
  dicer.on('finish', () => {
    if (isInHeader) fail(cutOff());
    else parts.push(null);
  });
  dicer.on('error', () => {
    fail(cutOff());
  });
  parts.on('error', () => undefined);
  void feed(body, dicer).catch(fail);
  return parts[Symbol.asyncIterator]();
}

/** Writes a body into the parser at the pace at which the parts are read. */
async function feed(body: FormBody, dicer: Dicer): Promise<void> {
  for await (const chunk of body) {
    // What follows the last boundary means nothing (RFC 2046 §5.1.1).
    if (!dicer.writable) continue;
    await new Promise<void>((resolve, reject) => {
      dicer.write(chunk, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
  if (dicer.writable) dicer.end();
}

function cutOff(): Error {
  return malformedForm('it is cut off, or its boundary is not the one that its header says');
}
