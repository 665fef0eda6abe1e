import { OURS, type Contestant } from './contestants.js';
import type { Enforcement } from './enforcement.js';
import type { LoadResult } from './load.js';

/** The median of the rounds, and what they ranged from and to. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Summary {
  readonly name: string;
  readonly requestsPerSecond: Spread;
  readonly cpuMicrosPerRequest: Spread;
  readonly serverCpu: Spread;
  readonly loaderCpu: Spread;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
  /** How many times its throughput ours had, round by round; absent where ours didn't take part. */
  readonly oursIs?: Spread;
  /** How many times ours' processor time per request it needed. */
  readonly oursIsByCpu?: Spread;
}

export type Results = ReadonlyMap<Contestant, readonly LoadResult[]>;

export function summarise(results: Results): Summary[] {
  const ours = [...results].find(([{ name }]) => name === OURS)?.[1];
  return [...results].map(([{ name }, rounds]) => {
    const spreadOf = (figure: (round: LoadResult) => number): Spread => spread(rounds.map(figure));
    // Rounds are compared in pairs: what slows the machine down for a while slows down both.
    const compare = (ratio: (ours: LoadResult, theirs: LoadResult) => number): Spread =>
      spread(
        (ours ?? []).flatMap((own, index) =>
          rounds.slice(index, index + 1).map((theirs) => ratio(own, theirs)),
        ),
      );
    return {
      name,
      requestsPerSecond: spreadOf((round) => round.requestsPerSecond),
      cpuMicrosPerRequest: spreadOf((round) => round.cpuMicrosPerRequest),
      serverCpu: spreadOf((round) => round.serverCpu),
      loaderCpu: spreadOf((round) => round.loaderCpu),
      p50Ms: spreadOf((round) => round.p50Ms),
      p99Ms: spreadOf((round) => round.p99Ms),
      ...(ours !== undefined && {
        oursIs: compare((own, theirs) => own.requestsPerSecond / theirs.requestsPerSecond),
        oursIsByCpu: compare((own, theirs) => theirs.cpuMicrosPerRequest / own.cpuMicrosPerRequest),
      }),
    };
  });
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

export function resultTable(
  summaries: readonly Summary[],
  contestants: readonly Contestant[],
): string {
  const musts = new Map(contestants.map(({ name, must }) => [name, must]));
  return table([
    [
      '',
      'requests/s',
      'CPU µs each',
      'server',
      'loader',
      'p50 ms',
      'p99 ms',
      'ours is',
      'by CPU',
      'must',
    ],
    ...summaries.map((summary) => [
      summary.name,
      show(summary.requestsPerSecond, 0),
      show(summary.cpuMicrosPerRequest, 1),
      percent(summary.serverCpu),
      percent(summary.loaderCpu),
      show(summary.p50Ms, 2),
      show(summary.p99Ms, 2),
      summary.oursIs === undefined ? '' : `${show(summary.oursIs, 2)} x`,
      summary.oursIsByCpu === undefined ? '' : `${show(summary.oursIsByCpu, 2)} x`,
      verdict(summary.oursIs, musts.get(summary.name)),
    ]),
  ]);
}

export function enforcementTable(found: ReadonlyMap<Contestant, Enforcement>): string {
  const titles = Object.keys([...found.values()][0] ?? {});
  return table([
    ['', ...titles],
    ...[...found].map(([{ name }, statuses]) => [
      name,
      ...titles.map((title) => String(statuses[title])),
    ]),
  ]);
}

function verdict(ratio: Spread | undefined, must: number | undefined): string {
  if (ratio === undefined || must === undefined) return '';
  return `${must} x: ${ratio.median >= must ? 'met' : 'MISSED'}`;
}

function show({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}-${max.toFixed(digits)})`;
}

function percent({ median }: Spread): string {
  return `${(median * 100).toFixed(0)} %`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
