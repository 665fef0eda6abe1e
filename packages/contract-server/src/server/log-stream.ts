import { destination } from 'pino';

/** Where log lines go: standard output, in the order in which they were written. */
export interface LogStream {
  write(line: string): void;
  /** Writes what is waiting before it returns; for the end of the process. */
  flush(): void;
}

/**
 * Standard output without waiting for it. The lines of one turn of the event loop are written
 * together: handing them over one by one costs more than making them.
 */
export function createLogStream(): LogStream {
  const stdout = destination({ dest: 1, sync: false });
  let lines = '';

  function handOver(): void {
    stdout.write(lines);
    lines = '';
  }

  return {
    write(line) {
      if (lines === '') setImmediate(handOver);
      lines += line;
    },
    flush() {
      if (lines !== '') handOver();
      stdout.flushSync();
    },
  };
}
