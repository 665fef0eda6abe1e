import { write as writeFile } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Where log lines go, in the order in which they were written. */
export interface LogStream {
  /** Never waits and never fails: a line for which there is no room is dropped. */
  write(line: string): void;
  /** How many lines have been dropped so far. */
  readonly dropped: number;
  /** Resolves once every line is written, or the time is over; for the end of the process. */
  flush(timeoutMs: number): Promise<void>;
}

export interface LogStreamOptions {
  /** Standard output by default. */
  readonly sink?: LogSink;
  /** Called once there is room again, with the number of lines that are missing there. */
  readonly onDropped: (dropped: number) => void;
}

/** Resolves with how many of the bytes it has written; rejects where it can write none. */
export type LogSink = (bytes: Uint8Array) => Promise<number>;

/** How much waits at most while nothing can be written; as much again may be on its way. */
const MAX_WAITING_LENGTH = 1_048_576;
const RETRY_MS = 100;

/**
 * A log that neither holds up nor ends the process, whatever becomes of the place it is written to: a
 * full disk, or a pipe that nobody reads. Lines that come while others are being written go together.
 */
export function createLogStream({
  sink = standardOutput(),
  onDropped,
}: LogStreamOptions): LogStream {
  let waiting = '';
  let writing: Promise<void> | undefined;
  let dropped = 0;
  let droppedBefore = 0;

  async function writeWaiting(): Promise<void> {
    // The lines of one turn of the event loop are written together.
    await new Promise(setImmediate);
    while (waiting !== '') {
      const bytes = Buffer.from(waiting);
      waiting = '';
      // Said here, it stands right where the lines are missing.
      if (dropped > droppedBefore) {
        const since = dropped - droppedBefore;
        droppedBefore = dropped;
        onDropped(since);
      }
      for (let at = 0; at < bytes.length;) at += await tryToWrite(bytes.subarray(at));
    }
    writing = undefined;
  }

  async function tryToWrite(bytes: Uint8Array): Promise<number> {
    try {
      return await sink(bytes);
    } catch {
      // There is nowhere left to say why. An unread pipe, or a full disk, must not keep the process.
      await pause(RETRY_MS, undefined, { ref: false });
      return 0;
    }
  }

  return {
    write(line) {
      if (waiting.length + line.length > MAX_WAITING_LENGTH) {
        dropped++;
        return;
      }
      waiting += line;
      writing ??= writeWaiting();
    },
    get dropped() {
      return dropped;
    },
    async flush(timeoutMs) {
      const isOver = new AbortController();
      await Promise.race([
        writing,
        pause(timeoutMs, undefined, { signal: isOver.signal }).catch(() => undefined),
      ]);
      isOver.abort();
    },
  };
}

function standardOutput(): LogSink {
  // Declared as a terminal, which is but one of the things that it may be.
  const stdout: Writable = process.stdout;
  return stdout instanceof Socket ? streamSink(stdout) : fileSink(1);
}

/**
 * A file that is open, or a device. What `process.stdout` does with a file won't do: it waits for the
 * disk, and half a line that was written before the disk was full is lost to it.
 */
export function fileSink(fd: number): LogSink {
  const write = promisify(writeFile);
  return async (bytes) => (await write(fd, bytes)).bytesWritten;
}

/**
 * A pipe or a socket. To write to its descriptor would occupy a thread for as long as nobody reads, and
 * a process can't exit before its threads.
 */
function streamSink(stream: Socket): LogSink {
  // Each write is told of its own failure.
  stream.on('error', () => undefined);
  return (bytes) =>
    new Promise((resolve, reject) => {
      stream.write(bytes, (error) => {
        if (error) reject(error);
        else resolve(bytes.length);
      });
    });
}
