import { OURS } from '../contestants.js';
import type { LoadResult } from '../load/target-load.js';
import type { Pass } from './bench-report.js';
import { spread, type Spread } from './spread.js';

export const FIGURES = [
  { key: 'requestsPerSecond', title: 'requests/s', digits: 0 },
  { key: 'cpuMicrosPerRequest', title: 'CPU µs per request', digits: 1 },
  { key: 'p50Ms', title: 'p50 ms', digits: 2 },
  { key: 'p99Ms', title: 'p99 ms', digits: 2 },
  { key: 'p999Ms', title: 'p99.9 ms', digits: 2 },
  { key: 'residentMb', title: 'memory MB', digits: 0 },
] as const satisfies readonly { key: keyof LoadResult; title: string; digits: number }[];

export type Figure = (typeof FIGURES)[number]['key'];

export interface Summary {
  readonly name: string;
  readonly figures: Readonly<Record<Figure, Spread>>;
  /** Each figure as a multiple of ours; absent where ours didn't take part. */
  readonly ratios: Readonly<Record<Figure, Spread>> | undefined;
  /** How many times its throughput ours had. */
  readonly oursIs: Spread | undefined;
  readonly loaderCpu: Spread;
}

export function summarise({ results }: Pass): Summary[] {
  const ours = results[OURS.name];
  return Object.entries(results).map(([name, rounds]) => {
    // Rounds are compared in pairs: what slows the machine down for a while slows down both.
    const compare = (ratio: (own: LoadResult, theirs: LoadResult) => number): Spread =>
      spread(
        rounds.flatMap((theirs, round) =>
          (ours ?? []).slice(round, round + 1).map((own) => ratio(own, theirs)),
        ),
      );
    return {
      name,
      figures: eachFigure((key) => spread(rounds.map((round) => round[key]))),
      ratios: ours && eachFigure((key) => compare((own, theirs) => theirs[key] / own[key])),
      oursIs: ours && compare((own, theirs) => own.requestsPerSecond / theirs.requestsPerSecond),
      loaderCpu: spread(rounds.map((round) => round.loaderCpu)),
    };
  });
}

function eachFigure(make: (key: Figure) => Spread): Record<Figure, Spread> {
  return Object.fromEntries(FIGURES.map(({ key }) => [key, make(key)])) as Record<Figure, Spread>; // every key is there
}
