import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const TRIES = 50;

/** What the figures depend on beside the programs. */
export interface Machine {
  readonly node: string;
  readonly processors: number;
  readonly fsyncMs: number;
}

export function readMachine(): Machine {
  return { node: process.version, processors: cpus().length, fsyncMs: measureFsyncMs() };
}

/**
 * How long the disk takes to make a page durable, in milliseconds, as a median. It decides what an
 * insert per request costs: where it is next to nothing, as in a folder kept in memory, the figures
 * say little about a disk.
 */
function measureFsyncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'plants-bench-'));
  const file = openSync(join(folder, 'page'), 'w');
  const page = Buffer.alloc(4096, 1);
  const timesMs: number[] = [];
  for (let count = 0; count < TRIES; count++) {
    const startedAt = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    timesMs.push(performance.now() - startedAt);
  }
  closeSync(file);
  rmSync(folder, { recursive: true });
  return timesMs.sort((a, b) => a - b)[TRIES / 2] ?? NaN;
}
