import { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { malformedForm } from './malformed-form.js';
import { readPartHeader, type PartHeader } from './part-header.js';
import type { FormBody } from './received-form.js';

/** A part of a multipart body, its content still to come, or all there. */
export interface Part extends PartHeader {
  /** It must be read to its end before the next part comes. */
  readonly content: AsyncIterable<Buffer> | readonly Buffer[];
}

/**
 * The parts of a multipart body (RFC 2046 §5.1.1), as they come or all at once. A body that streams is
 * read no faster than they are; an error of the body, or of its form, fails the part that is being read.
 * @throws ApiError 400, and what the body fails with
 */
export function parseParts(body: FormBody, boundary: string): AsyncIterableIterator<Part> {
  return body instanceof Readable ? streamParts(body, boundary) : wholeParts(body, boundary);
}

/** What becomes of what a parser finds. */
interface PartListener {
  readonly onPart: (header: PartHeader, content: Readable) => void;
  readonly onEnd: () => void;
  readonly onFailure: (error: Error) => void;
}

function createParser(boundary: string, { onPart, onEnd, onFailure }: PartListener): Dicer {
  const dicer = new Dicer({ boundary });
  /** Whether the header of a part is still to come. */
  let isInHeader = false;
  dicer.on('part', (content) => {
    // The parser drops a part whose header a boundary cuts off.
    if (isInHeader) onFailure(cutOff());
    isInHeader = true;
    // Without a listener, the error of a part that nobody reads would end the process.
    content.on('error', () => undefined);
    content.on('header', (lines) => {
      isInHeader = false;
      try {
        onPart(readPartHeader(lines as PartHeader['headers']), content);
      } catch (error) {
        onFailure(error as Error); // what is thrown there is one
      }
    });
  });
  dicer.on('finish', () => {
    if (isInHeader) onFailure(cutOff());
    else onEnd();
  });
  dicer.on('error', () => {
    onFailure(cutOff());
  });
  return dicer;
}

function streamParts(body: Readable, boundary: string): AsyncIterableIterator<Part> {
  const parts = new Readable({ objectMode: true, read: () => undefined });
  /** The part whose content is still to come. */
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
  const dicer = createParser(boundary, {
    onPart(header, content) {
      current = content;
      parts.push({ ...header, content: bytesOf(content) });
    },
    onEnd: () => parts.push(null),
    onFailure: fail,
  });
  parts.on('error', () => undefined);
  void feed(body, dicer).catch(fail);
  return parts[Symbol.asyncIterator]();
}

/** Writes a body into the parser at the pace at which the parts are read. */
async function feed(body: Readable, dicer: Dicer): Promise<void> {
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

/** Each part read to its end before the first is returned: a stream for each costs more than its bytes. */
async function* wholeParts(
  chunks: readonly Buffer[],
  boundary: string,
): AsyncGenerator<Part, void> {
  const parts: Part[] = [];
  await new Promise<void>((resolve, reject) => {
    let openCount = 1; // the form itself
    const close = (): void => {
      if (--openCount === 0) resolve();
    };
    const dicer = createParser(boundary, {
      onPart(header, content) {
        const read: Buffer[] = [];
        openCount++;
        content.on('data', (chunk: Buffer) => read.push(chunk));
        content.on('end', close);
        parts.push({ ...header, content: read });
      },
      onEnd: close,
      onFailure: reject,
    });
    for (const chunk of chunks) dicer.write(chunk);
    dicer.end();
  });
  yield* parts;
}

function cutOff(): Error {
  return malformedForm('it is cut off, or its boundary is not the one that its header says');
}
