/**
 * `npm run bench:overload`: what becomes of the answers when more is asked for than can be done, of
 * ours and of Fastify with @fastify/under-pressure, both on our store.
 *
 * What each can do is measured first, with connections that ask again when they have their answer;
 * then requests fall due at shares and multiples of that, whatever becomes of the earlier ones.
 */
import { parseArgs } from 'node:util';
import { readCommandLine, readCount } from '../command-line.js';
import type { Latencies } from './load/latencies.js';
import type { OpenLoadOptions, OpenLoadResult } from './load/open-load.js';
import { runRound } from './load/round.js';
import type { LoadResult } from './load/target-load.js';
import { startNode } from './process/child-process.js';
import { compilePrograms } from './process/compile.js';
import { OURS, type Contestant } from './process/contestants.js';
import { installPackages } from './process/packages.js';
import { builtProgram } from './process/paths.js';
import { readResidentMb } from './process/resident-memory.js';
import { startServer, type Server } from './process/server.js';
import { markdownTable, type Row } from './report/table.js';

const USAGE = `usage: npm run bench:overload -- [option...]
  --seconds 4         how long each load is measured
  --connections 2000  how many of them the load is spread over
  --impatient         clients that are told to try again later don't wait`;

const FASTIFY: Contestant = {
  name: 'fastify + under-pressure',
  about: 'the Fastify of `npm run bench`, and our store',
  args: [builtProgram('contestants/fastify')],
  env: { STORE: 'ours' },
  checksResponses: true,
};
/** Each as it refuses what is too much, and what else it has in its environment for that. */
const CONTESTANTS: readonly (readonly [Contestant, Readonly<Record<string, string>>])[] = [
  [OURS, {}],
  [FASTIFY, { SHED: 'under-pressure' }],
];
const MULTIPLES = [0.5, 1, 2, 4];
const WARM_UP_MS = 1500;
/** The closed load that finds out what a program can do. */
const PEAK = { connections: 256, bodyBytes: 100, ids: 'ascending', warmUpMs: 2000 } as const;
/** More than one load sends, so that no id is used twice. */
const IDS_APART = 5_000_000;

interface Options {
  readonly measureMs: number;
  readonly connections: number;
  readonly isPatient: boolean;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '2000' },
      impatient: { type: 'boolean', default: false },
    },
  });
  return {
    measureMs: readCount('seconds', values.seconds, 60) * 1000,
    connections: readCount('connections', values.connections, 10_000),
    isPatient: !values.impatient,
  };
}

async function runOpenLoad(load: OpenLoadOptions): Promise<OpenLoadResult> {
  const args = ['--import', 'tsx', 'scripts/bench/load/open-load.ts', JSON.stringify(load)];
  const child = startNode(args, {}, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode !== 0) throw new Error('the load did not run to its end');
  return JSON.parse(output) as OpenLoadResult; // written by open-load.ts
}

async function measure(
  server: Server,
  { requestsPerSecond: peak, cpuMicrosPerRequest, loaderCpu }: LoadResult,
  options: Options,
): Promise<Row[]> {
  const rows: Row[] = [
    [
      ...[server.name, 'peak', '', '', peak.toFixed(0), '', '', '', '', '', ''],
      ...[cpuMicrosPerRequest.toFixed(0), loaderCpu.toFixed(2)],
    ],
  ];
  for (const [index, multiple] of MULTIPLES.entries()) {
    const { port, token, pid } = server;
    const result = await runOpenLoad({
      ...options,
      port,
      token,
      pid,
      requestsPerSecond: multiple * peak,
      warmUpMs: WARM_UP_MS,
      earlierRequests: (index + 1) * IDS_APART,
    });
    rows.push(rowOf(`${multiple}x`, peak, result, readResidentMb(pid)));
    console.error(rows.at(-1)?.join('  '));
  }
  return rows;
}

function rowOf(load: string, peak: number, result: OpenLoadResult, residentMb: number): Row {
  const { seconds, due, unsent, good, shed, failed, health, serverCpu, loaderCpu } = result;
  const perSecond = (count: number): string => (count / seconds).toFixed(0);
  return [
    '',
    load,
    perSecond(due),
    perSecond(unsent),
    perSecond(good.count),
    `${((100 * good.count) / seconds / peak).toFixed(0)} %`,
    perSecond(shed.count),
    String(failed),
    quantiles(good),
    quantiles(shed),
    quantiles(health),
    ((1e6 * serverCpu * seconds) / good.count).toFixed(0),
    loaderCpu.toFixed(2),
    residentMb.toFixed(0),
  ];
}

function quantiles({ count, p50Ms, p99Ms }: Latencies): string {
  return count === 0 ? '' : `${p50Ms.toFixed(0)} / ${p99Ms.toFixed(0)}`;
}

const HEAD = [
  'program',
  'load',
  'due/s',
  'not sent/s',
  'good/s',
  'of peak',
  'shed/s',
  'failed',
  'good ms',
  'shed ms',
  'health ms',
  'CPU µs / good',
  'CPU of the load',
  'MB',
];

const options = readCommandLine(USAGE, readOptions);
installPackages();
await compilePrograms();
const rows: Row[] = [];
for (const [contestant, env] of CONTESTANTS) {
  const { measureMs } = options;
  const atPeak = await runRound(contestant, { ...PEAK, measureMs });
  const server = await startServer({ ...contestant, env: { ...contestant.env, ...env } });
  try {
    rows.push(...(await measure(server, atPeak, options)));
  } finally {
    await server.stop();
  }
}
const { connections, isPatient } = options;
const clients = isPatient ? 'that wait as Retry-After says' : 'that never wait';
console.log(`${connections} connections of clients ${clients}; latencies are p50 / p99`);
console.log(markdownTable([HEAD, ...rows]));
