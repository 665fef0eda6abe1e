import type { OpenLoadResult } from '../load/open-load.js';
import type { LoadResult } from '../load/target-load.js';
import { showSpread, spread } from './spread.js';
import { markdownTable, type Row } from './table.js';

/** A load, and what the program could do just before it. */
export interface Pair {
  /** How many times that fell due. */
  readonly multiple: number;
  readonly peak: LoadResult;
  readonly open: OpenLoadResult;
}

/** What is shown of a pair: its title, the figure, and how many digits it has behind the point. */
const COLUMNS: readonly (readonly [string, (pair: Pair) => number, number])[] = [
  ['peak/s', ({ peak }) => peak.requestsPerSecond, 0],
  ['good/s', ({ open }) => open.good.count / open.seconds, 0],
  ['of peak', ({ peak, open }) => open.good.count / open.seconds / peak.requestsPerSecond, 2],
  ['CPU µs at peak', ({ peak }) => peak.cpuMicrosPerRequest, 0],
  ['CPU µs / good', ({ open }) => (1e6 * open.serverCpu * open.seconds) / open.good.count, 0],
  ['shed/s', ({ open }) => open.shed.count / open.seconds, 0],
  ['failed', ({ open }) => open.failed, 0],
  ['good p50 ms', ({ open }) => open.good.p50Ms, 0],
  ['good p99 ms', ({ open }) => open.good.p99Ms, 0],
  ['shed p99 ms', ({ open }) => open.shed.p99Ms, 0],
  ['health p99 ms', ({ open }) => open.health.p99Ms, 0],
  ['CPU of the program', ({ open }) => open.serverCpu, 2],
  ['CPU of the load', ({ open }) => open.loaderCpu, 2],
];

/** A row for each program and load. A figure that a program never had, as nothing was shed, is left out. */
export function overloadTable(measured: ReadonlyMap<string, readonly Pair[]>): string {
  const rows: Row[] = [];
  for (const [program, pairs] of measured) {
    for (const multiple of new Set(pairs.map((pair) => pair.multiple))) {
      const some = pairs.filter((pair) => pair.multiple === multiple);
      rows.push([program, `${multiple}x`, ...figuresOf(some)]);
    }
  }
  return markdownTable([['program', 'load', ...COLUMNS.map(([title]) => title)], ...rows]);
}

export function showPair(pair: Pair): string {
  const figures = figuresOf([pair]);
  return [`${pair.multiple}x`, ...COLUMNS.map(([title], i) => `${title} ${figures[i]}`)].join(', ');
}

function figuresOf(pairs: readonly Pair[]): string[] {
  return COLUMNS.map(([, figure, digits]) => {
    const known = pairs.map(figure).filter((value) => Number.isFinite(value));
    return known.length === 0 ? '' : showSpread(spread(known), digits);
  });
}
