import type { FileHandle } from 'node:fs/promises';
import { InputError } from '../stop-error.js';

/**
 * The longest row that is taken: the longest body that the service takes, as it comes, and 64 KiB for who
 * created the plant and when, which an export has too.
 */
export const MAX_ROW_BYTES = 1_114_112;

const CHUNK_BYTES = 65_536;
const LINE_FEED = 0x0a;

/** One line of a file, without its line feed. */
export interface Line {
  /** Undefined where there are more than `MAX_ROW_BYTES`, which are then not kept. */
  readonly bytes: Buffer | undefined;
  /** Where the next line begins. */
  readonly endByte: number;
}

/**
 * Reads a file from a place on, each part only when it is asked for.
 * @throws InputError
 */
export async function* readChunks(file: FileHandle, from: number): AsyncGenerator<Buffer, void> {
  for (let at = from; ;) {
    // A new buffer each time: whoever got the last one may keep slices of it.
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, at).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new InputError(`the file can't be read at byte ${at}: ${why}`, { cause: error });
    });
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Reads the lines of a file from a place on, never keeping more than one. */
export async function* readLines(file: FileHandle, from: number): AsyncGenerator<Line, void> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let chunkStart = from;

  function add(part: Buffer): void {
    begunBytes += part.length;
    if (begunBytes > MAX_ROW_BYTES) begun = [];
    else begun.push(part);
  }
  function finish(endByte: number): Line {
    const line = { bytes: begunBytes > MAX_ROW_BYTES ? undefined : Buffer.concat(begun), endByte };
    begun = [];
    begunBytes = 0;
    return line;
  }

  for await (const chunk of readChunks(file, from)) {
    let at = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, at)) {
      add(chunk.subarray(at, end));
      at = end + 1;
      yield finish(chunkStart + at);
    }
    add(chunk.subarray(at));
    chunkStart += chunk.length;
  }
  if (begunBytes > 0) yield finish(chunkStart);
}
