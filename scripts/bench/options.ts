import { parseArgs } from 'node:util';
import { readCount, readCounts } from './command-line.js';
import { CONTESTANTS, type Contestant } from './contestants.js';

export const USAGE = `usage: npm run bench -- [option...]
  --rounds 5        so often every contestant is started anew and measured
  --seconds 2       how long each time
  --connections 64  one number or several: 1,64,256
  --body 100        bytes of a request's body, likewise: 100,10000,1048000
  --only NAME,NAME  of: ${CONTESTANTS.map(({ name }) => name).join(', ')}
  --minutes 10      no round begins that would end later than that
  --json FILE       writes everything that was measured
  --from FILE       measures nothing and reports what --json wrote
  --markdown        prints the README's table
  --beside FILE     with --markdown: a column of what --json wrote into FILE, as on another Node
  --svg FILE        writes the README's picture
  Without --connections and --body, shorter passes over other numbers and sizes follow the first.`;

export interface Options {
  readonly passes: readonly PassPlan[];
  readonly contestants: readonly Contestant[];
  readonly deadlineMs: number;
  readonly json: string | undefined;
  readonly from: string | undefined;
  readonly markdown: boolean;
  readonly beside: string | undefined;
  readonly svg: string | undefined;
}

/** The load of one pass, and how often it is put on everybody. */
export interface PassPlan {
  readonly connections: number;
  readonly bodyBytes: number;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
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

/** @throws Error that says which option is wrong, and what would be right */
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
      from: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      beside: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  const rounds = readCount('rounds', values.rounds, 100);
  const measureMs = readCount('seconds', values.seconds, 600) * 1000;
  const full = { rounds, warmUpMs: WARM_UP_MS, measureMs };
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
    contestants: readContestants(values.only),
    deadlineMs: readCount('minutes', values.minutes, 600) * 60_000,
    json: values.json,
    from: values.from,
    markdown: values.markdown,
    beside: values.beside,
    svg: values.svg,
  };
}

function readContestants(only: string | undefined): Contestant[] {
  const names = only?.split(',').map((name) => name.trim());
  const unknown = names?.filter((name) => !CONTESTANTS.some((one) => one.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`--only: there is no contestant ${unknown.join(', ')}`);
  return CONTESTANTS.filter(({ name }) => names === undefined || names.includes(name));
}
