/**
 * `npm run bench:overload`: what becomes of the answers when more is asked for than can be done, of
 * ours and of Fastify with @fastify/under-pressure, both on our store.
 *
 * What a program can do is measured with connections that ask again when they have their answer, and
 * right after it a load of which requests fall due at a multiple of that, whatever becomes of the earlier
 * ones. A machine is faster at one moment than at the next, so the two are compared in pairs, several
 * times, on a service that is warm.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCommandLine, readCount, readCounts } from '../command-line.js';
import type { OpenLoadOptions, OpenLoadResult } from './load/open-load.js';
import { runLoad } from './load/round.js';
import { startNode } from './process/child-process.js';
import { compilePrograms } from './process/compile.js';
import { OURS, type Contestant } from './process/contestants.js';
import { installPackages } from './process/packages.js';
import { builtProgram } from './process/paths.js';
import { startServer, type Server } from './process/server.js';
import { overloadTable, showPair, type Pair } from './report/overload-report.js';

const USAGE = `usage: npm run bench:overload -- [option...]
  --rounds 5          how often each load is measured
  --seconds 2         and for how long
  --loads 1,4         how many times what the program can do falls due
  --connections 2000  how many of them the load is spread over
  --impatient         clients that are told to try again later don't wait`;

const FASTIFY: Contestant = {
  name: 'fastify + under-pressure',
  about: 'the Fastify of `npm run bench`, and our store',
  args: [builtProgram('contestants/fastify')],
  env: { STORE: 'ours' },
  checksResponses: true,
};
const SHEDDING_FASTIFY: Contestant = {
  ...FASTIFY,
  env: { ...FASTIFY.env, SHED: 'under-pressure' },
};
/** Each beside what its peak is measured of: with under-pressure, Fastify refuses a part of that too. */
const CONTESTANTS = [
  { shedding: OURS, atPeak: OURS },
  { shedding: SHEDDING_FASTIFY, atPeak: FASTIFY },
];
/** The closed load that finds out what a program can do: of fewer than ours serves at once after an overload. */
const PEAK = { connections: 200, bodyBytes: 100, ids: 'ascending' } as const;
const FIRST_WARM_UP_MS = 2000;
/** Until all connections of the closed load are at work. */
const PEAK_WARM_UP_MS = 300;
/** Until those refused first have come back. */
const OPEN_WARM_UP_MS = 2500;
/** Until no connection rests any more. */
const PAUSE_MS = 1500;
/** More than one load sends, so that no id is used twice. */
const IDS_APART = 2_000_000;

interface Options {
  readonly rounds: number;
  readonly measureMs: number;
  readonly multiples: readonly number[];
  readonly connections: number;
  readonly isPatient: boolean;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      loads: { type: 'string', default: '1,4' },
      connections: { type: 'string', default: '2000' },
      impatient: { type: 'boolean', default: false },
    },
  });
  return {
    rounds: readCount('rounds', values.rounds, 20),
    measureMs: readCount('seconds', values.seconds, 60) * 1000,
    multiples: readCounts('loads', values.loads, 10),
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

async function measure(shedding: Server, atPeak: Server, options: Options): Promise<Pair[]> {
  const { rounds, measureMs, multiples } = options;
  const { port, token, pid } = shedding;
  const pairs: Pair[] = [];
  let earlierRequests = 0;
  for (const server of new Set([shedding, atPeak])) {
    const toWarmUp = { ...PEAK, connections: 64, warmUpMs: 0, measureMs: FIRST_WARM_UP_MS };
    await runLoad(server, { ...toWarmUp, earlierRequests });
  }
  for (let round = 0; round < rounds; round++) {
    for (const multiple of multiples) {
      earlierRequests += IDS_APART;
      const closed = { ...PEAK, warmUpMs: PEAK_WARM_UP_MS, measureMs };
      const peak = await runLoad(atPeak, { ...closed, earlierRequests });
      earlierRequests += IDS_APART;
      const requestsPerSecond = multiple * peak.requestsPerSecond;
      const due = { port, token, pid, requestsPerSecond, warmUpMs: OPEN_WARM_UP_MS };
      const open = await runOpenLoad({ ...options, ...due, earlierRequests });
      const pair = { multiple, peak, open };
      pairs.push(pair);
      console.error(`${shedding.name}: ${showPair(pair)}`);
      await sleep(PAUSE_MS);
    }
  }
  return pairs;
}

const options = readCommandLine(USAGE, readOptions);
installPackages();
await compilePrograms();
const measured = new Map<string, readonly Pair[]>();
for (const { shedding, atPeak } of CONTESTANTS) {
  const server = await startServer(shedding);
  const peakServer = atPeak === shedding ? server : await startServer(atPeak);
  try {
    measured.set(shedding.name, await measure(server, peakServer, options));
  } finally {
    await Promise.all([...new Set([server, peakServer])].map((one) => one.stop()));
  }
}
const { connections, isPatient, rounds } = options;
const clients = isPatient ? 'that wait as Retry-After says' : 'that never wait';
console.log(
  `${connections} connections of clients ${clients}; medians of ${rounds} pairs, with the least and the most`,
);
console.log(overloadTable(measured));
