import type { Pass, PassLoad } from '../load/passes.js';
import type { LoadResult } from '../load/target-load.js';
import { OURS } from '../process/contestants.js';
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

/** What the rounds of one pass come to. */
export interface PassSummary extends PassLoad {
  readonly rounds: number;
  readonly summaries: readonly Summary[];
}

/** What the rounds of one contestant come to. */
export interface Summary {
  readonly name: string;
  readonly figures: Readonly<Record<Figure, Spread>>;
  /** How much of one processor the process that sends the requests used. */
  readonly loaderCpu: Spread;
  /** Each figure as a multiple of ours; absent for ours, and where ours didn't take part. */
  readonly ratios?: Readonly<Record<Figure, Spread>>;
  /** How many times its throughput ours had; absent likewise. */
  readonly oursIs?: Spread;
}

export function summarise({ connections, bodyBytes, measureMs, results }: Pass): PassSummary {
  const { [OURS.name]: ours } = results;
  const summaries = Object.entries(results).map(([name, rounds]): Summary => {
    const summary = {
      name,
      figures: eachFigure((key) => spread(rounds.map((round) => round[key]))),
      loaderCpu: spread(rounds.map((round) => round.loaderCpu)),
    };
    if (ours === undefined || name === OURS.name) return summary;
    // Rounds are compared in pairs: what slows the machine down for a while slows down both.
    const compare = (ratio: (own: LoadResult, theirs: LoadResult) => number): Spread =>
      spread(
        rounds.flatMap((theirs, round) =>
          ours.slice(round, round + 1).map((own) => ratio(own, theirs)),
        ),
      );
    return {
      ...summary,
      ratios: eachFigure((key) => compare((own, theirs) => theirs[key] / own[key])),
      oursIs: compare((own, theirs) => own.requestsPerSecond / theirs.requestsPerSecond),
    };
  });
  const rounds = Math.max(0, ...Object.values(results).map(({ length }) => length));
  return { connections, bodyBytes, measureMs, rounds, summaries };
}

function eachFigure(make: (key: Figure) => Spread): Record<Figure, Spread> {
  return Object.fromEntries(FIGURES.map(({ key }) => [key, make(key)])) as Record<Figure, Spread>; // every key is there
}
