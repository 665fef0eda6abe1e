import type { Contestant } from '../contestants.js';
import type { LoadResult } from '../load/target-load.js';
import type { Machine } from '../load/machine.js';

/** All that one run of `npm run bench` has found out. It is what `--json` writes. */
export interface BenchReport {
  readonly machine: Machine;
  readonly contestants: readonly ReportedContestant[];
  readonly passes: readonly Pass[];
}

export interface ReportedContestant extends Pick<Contestant, 'name' | 'about' | 'must'> {
  /** The status that it answered each probe with, by the probe's title. */
  readonly statuses: Readonly<Record<string, number>>;
  /** What it doesn't enforce. */
  readonly lapses: readonly string[];
}

/** Rounds under the same load, by the contestant's name. */
export interface Pass {
  readonly connections: number;
  readonly bodyBytes: number;
  readonly measureMs: number;
  readonly results: Readonly<Record<string, readonly LoadResult[]>>;
}

export function passTitle({ connections, bodyBytes }: Pass): string {
  return `${connections} ${connections === 1 ? 'connection' : 'connections'}, ${showBytes(bodyBytes)}`;
}

export function showBytes(bytes: number): string {
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`;
  return bytes >= 1000 ? `${Math.round(bytes / 1000)} kB` : `${bytes} B`;
}
