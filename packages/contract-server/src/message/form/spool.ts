import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FORM_MEMORY_BYTES } from './received-form.js';

const READ_BYTES = 65_536;

/**
 * Keeps the files of one form until its handler has read them: in memory as long as they are short, in
 * one temporary file otherwise. That file has no name as soon as it is open, so that nothing is left on
 * the disk, however the process ends.
 */
export class Spool {
  #file: FileHandle | undefined;
  /** How many bytes the file has. */
  #length = 0;
  #inMemory = 0;
  #isClosed = false;

  /** Stores what comes; returns what reads it, each time anew. */
  async store(chunks: AsyncIterable<Buffer>): Promise<() => Readable> {
    const kept: Buffer[] = [];
    const from = this.#length;
    for await (const chunk of chunks) {
      kept.push(chunk);
      this.#inMemory += chunk.length;
      if (this.#inMemory > FORM_MEMORY_BYTES) await this.#write(kept.splice(0));
    }
    if (this.#length === from) return () => Readable.from(kept, { objectMode: false });
    await this.#write(kept.splice(0));
    const to = this.#length;
    return () => Readable.from(this.#read(from, to), { objectMode: false });
  }

  /** Frees memory and disk; what reads the files fails from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #write(chunks: readonly Buffer[]): Promise<void> {
    if (!this.#isClosed) this.#file ??= await openNameless();
    // It may have been closed while the file was opened.
    if (this.#isClosed) await this.close();
    for (const chunk of chunks) {
      this.#inMemory -= chunk.length;
      for (let at = 0; at < chunk.length;) at += await this.#append(chunk.subarray(at));
    }
  }

  /** Returns how many bytes are done with; once it is closed, nothing is kept of what still comes. */
  async #append(bytes: Buffer): Promise<number> {
    if (this.#file === undefined) return bytes.length;
    const { bytesWritten } = await this.#file.write(bytes, 0, undefined, this.#length);
    this.#length += bytesWritten;
    return bytesWritten;
  }

  async *#read(from: number, to: number): AsyncGenerator<Buffer> {
    for (let at = from; at < to;) {
      if (this.#file === undefined) throw new Error('the form is closed: its exchange is over');
      const length = Math.min(READ_BYTES, to - at);
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) throw new Error('a temporary file is shorter than it was');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `contract-server-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return file;
}
