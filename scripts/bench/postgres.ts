/** `npm run bench:postgres`: the same whole job with PostgreSQL, beside others, and the store beside pgbench. */
import { parseArgs } from 'node:util';
import { readCommandLine, readCount, readCounts, UsageError } from '../command-line.js';
import { runPasses } from './load/passes.js';
import { measureCapacity, type Capacity } from './postgres/capacity.js';
import { createContestants } from './postgres/contestants.js';
import { startDatabaseServer, type DatabaseServer } from './postgres/database-server.js';
import { capacityTable, costTable, storeTable, type StoreRounds } from './postgres/report.js';
import { runDriver, runPgbench, runStore } from './postgres/store-alone.js';
import { compilePrograms } from './process/compile.js';
import { OURS } from './process/contestants.js';
import { readMachine } from './process/machine.js';
import { installPackages } from './process/packages.js';
import { summarise } from './report/summary.js';
import { machineLine, resultTable } from './report/text.js';

const PARTS = ['programs', 'store', 'capacity'];

const USAGE = `usage: npm run bench:postgres -- [option...]
  --parts programs,store,capacity  what to measure: ours beside other programs; the store alone beside
                                   pgbench with the same statement, and pg with nothing around it; what a
                                   create costs each program and PostgreSQL, and what several replicas get
  --round-trip 0,2                 milliseconds to PostgreSQL and back: 0 is a Unix socket, more a proxy
  --connections 64,1,256           of the load, which are the callers of the store alone
  --rounds 3                       so often everything is started anew and measured
  --seconds 2                      how long each time
PostgreSQL and pgbench are those of Debian's packages, as for npm run test:postgres.`;

interface Options {
  readonly parts: readonly string[];
  readonly roundTripsMs: readonly number[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly measureMs: number;
}

const WARM_UP_MS = 2000;
const MOST_REPLICAS = 3;

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      parts: { type: 'string', default: PARTS.join(',') },
      'round-trip': { type: 'string', default: '0,2' },
      connections: { type: 'string', default: '64,1,256' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
    },
  });
  const parts = values.parts.split(',');
  if (!parts.every((part) => PARTS.includes(part))) {
    throw new UsageError(`--parts must be some of ${PARTS.join(', ')}`);
  }
  return {
    parts,
    // A round trip of 0 is one that `readCounts` doesn't take.
    roundTripsMs: values['round-trip']
      .split(',')
      .map((text) => (text.trim() === '0' ? 0 : readCount('round-trip', text.trim(), 1000))),
    connections: readCounts('connections', values.connections, 1000),
    rounds: readCount('rounds', values.rounds, 100),
    measureMs: readCount('seconds', values.seconds, 600) * 1000,
  };
}

async function comparePrograms(server: DatabaseServer, options: Options): Promise<void> {
  const { connections, rounds, measureMs } = options;
  const contestants = await createContestants(server);
  const plans = connections.map((count) => ({
    connections: count,
    bodyBytes: 100,
    rounds,
    warmUpMs: WARM_UP_MS,
    measureMs,
  }));
  const passes = (await runPasses(plans, contestants, Infinity)).map(summarise);
  // Who checks what is for `npm run bench` to say.
  const reported = contestants.map((one) => ({ ...one, statuses: {}, lapses: [] }));
  console.log(resultTable({ machine: readMachine(), contestants: reported, passes }));
}

async function compareStore(server: DatabaseServer, options: Options): Promise<void> {
  const { connections, rounds, measureMs } = options;
  const database = await server.createDatabase();
  const rows: StoreRounds[] = [];
  for (const callers of connections) {
    const load = { callers, warmUpMs: WARM_UP_MS, measureMs };
    const store: number[] = [];
    const driver: number[] = [];
    const pgbench: number[] = [];
    for (let round = 0; round < rounds; round++) {
      store.push(await runStore(database, load));
      driver.push(await runDriver(database, load));
      pgbench.push(await runPgbench(database, load));
    }
    rows.push({ callers, store, driver, pgbench });
  }
  console.log(`\n${storeTable(rows)}`);
}

async function measureCapacities(server: DatabaseServer, options: Options): Promise<void> {
  const { connections, measureMs } = options;
  const load = { connections: connections[0] ?? 64, warmUpMs: WARM_UP_MS, measureMs };
  const results: Capacity[] = [];
  for (const contestant of await createContestants(server)) {
    const most = contestant.name === OURS.name ? MOST_REPLICAS : 1;
    for (let replicas = 1; replicas <= most; replicas++) {
      results.push(await measureCapacity(server, contestant, replicas, load));
    }
  }
  console.log(`\n${costTable(results)}\n\n${capacityTable(results)}`);
}

const options = readCommandLine(USAGE, readOptions);
installPackages();
await compilePrograms();
for (const roundTripMs of options.roundTripsMs) {
  const server = await startDatabaseServer(roundTripMs);
  try {
    console.log(`\nround trip to PostgreSQL: ${roundTripMs} ms; ${machineLine(readMachine())}`);
    if (options.parts.includes('programs')) await comparePrograms(server, options);
    if (options.parts.includes('store')) await compareStore(server, options);
    if (options.parts.includes('capacity')) await measureCapacities(server, options);
  } finally {
    await server.stop();
  }
}
