import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { readCount, readCounts, UsageError } from '../command-line.js';
import type { PassPlan } from './load/passes.js';
import { CONTESTANTS, type Contestant } from './process/contestants.js';
import { readReport, type BenchReport } from './report/bench-report.js';

export const USAGE = `usage: npm run bench -- [option...]
  --rounds 5        so often every contestant is started anew and measured
  --seconds 2       how long each time
  --connections 64  one number or several: 1,64,256
  --body 100        bytes of a request's body, likewise: 100,10000,1048000
  --only NAME,NAME  of: ${CONTESTANTS.map(({ name }) => name).join(', ')}
  --minutes 10      no round begins that would end later than that
  --json FILE       writes what the rounds come to: medians, least and most, and ratios
  --raw FILE        writes every round
  --from FILE       measures nothing and reports what --json wrote
  --markdown        prints the README's table
  --beside FILE     with --markdown: a column of what --json wrote into FILE, as on another Node
  --svg FILE        writes the README's picture
  Without --connections and --body, shorter passes over other numbers and sizes follow the first.
  Traces take long to be warm, so they take part only where --only names them.`;

export interface Options {
  readonly passes: readonly PassPlan[];
  readonly contestants: readonly Contestant[];
  readonly deadlineMs: number;
  /** Reported instead of a measurement. */
  readonly from: BenchReport | undefined;
  readonly beside: BenchReport | undefined;
  readonly markdown: boolean;
  readonly json: string | undefined;
  readonly raw: string | undefined;
  readonly svg: string | undefined;
}

/** V8 has settled on most of its machine code by then. */
const WARM_UP_MS = 2000;
const SHORT = { rounds: 2, warmUpMs: 1000, measureMs: 1500 };
/** What follows the first pass. The largest body is just below the service's MAX_BODY_BYTES. */
const SHORT_PASSES = [
  { connections: 1, bodyBytes: 100 },
  { connections: 256, bodyBytes: 100 },
  { connections: 64, bodyBytes: 10_000 },
  { connections: 64, bodyBytes: 1_048_000 },
];

/** @throws UsageError */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string' },
      body: { type: 'string' },
      only: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      json: { type: 'string' },
      raw: { type: 'string' },
      from: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      beside: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  const rounds = readCount('rounds', values.rounds, 100);
  const measureMs = readCount('seconds', values.seconds, 600) * 1000;
  const contestants = readContestants(values.only);
  const slowest = Math.max(0, ...contestants.map(({ warmUpMs = 0 }) => warmUpMs));
  const full = { rounds, warmUpMs: Math.max(WARM_UP_MS, slowest), measureMs };
  const short = {
    rounds: Math.min(rounds, SHORT.rounds),
    warmUpMs: SHORT.warmUpMs,
    measureMs: Math.min(measureMs, SHORT.measureMs),
  };
  const isDefault = values.connections === undefined && values.body === undefined;
  const passes = readCounts('connections', values.connections ?? '64', 1000).flatMap(
    (connections) =>
      readCounts('body', values.body ?? '100', 1_048_576).map((bodyBytes) => ({
        connections,
        bodyBytes,
        ...full,
      })),
  );
  return {
    passes: isDefault
      ? [...passes, ...SHORT_PASSES.map((load) => ({ ...load, ...short }))]
      : passes,
    contestants,
    deadlineMs: readCount('minutes', values.minutes, 600) * 60_000,
    from: values.from === undefined ? undefined : readReport(values.from),
    beside: values.beside === undefined ? undefined : readReport(values.beside),
    markdown: values.markdown,
    json: readOutput('json', values.json),
    raw: readOutput('raw', values.raw),
    svg: readOutput('svg', values.svg),
  };
}

function readContestants(only: string | undefined): Contestant[] {
  const names = only?.split(',').map((name) => name.trim());
  const unknown = names?.filter((name) => !CONTESTANTS.some((one) => one.name === name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`--only: there is no contestant ${unknown.join(', ')}`);
  return CONTESTANTS.filter(({ name, warmUpMs }) =>
    names === undefined ? warmUpMs === undefined : names.includes(name),
  );
}

/** Where a file can't be written, that is said before the ten minutes, not after them. */
function readOutput(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    accessSync(dirname(file), constants.W_OK);
    return file;
  } catch {
    throw new UsageError(`--${option}: nothing can be written into ${dirname(file)}`);
  }
}
