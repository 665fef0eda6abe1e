/** `npm run bench`: ours beside other ways to do the same whole job, in one run. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { CONTESTANTS, type Contestant } from './contestants.js';
import { measureFsyncMs } from './disk.js';
import { probeEnforcement, type Enforcement } from './enforcement.js';
import type { LoadResult } from './load.js';
import { enforcementTable, resultTable, summarise } from './report.js';
import { runRound, type RoundOptions } from './round.js';

const USAGE = `usage: npm run bench -- [--rounds 3] [--seconds 5] [--connections 64] [--only NAME,NAME] [--json FILE]
  contestants: ${CONTESTANTS.map(({ name }) => name).join(', ')}`;

/** V8 has settled on its machine code by then. */
const WARM_UP_MS = 3000;
/** Above this share of its processor the loader, too, held the server up. */
const BUSY_LOADER = 0.9;

interface Options extends RoundOptions {
  readonly rounds: number;
  readonly contestants: readonly Contestant[];
  readonly json: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '64' },
      only: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const names = values.only?.split(',').map((name) => name.trim());
  const unknown =
    names?.filter((name) => !CONTESTANTS.some((contestant) => contestant.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`--only: there is no contestant ${unknown.join(', ')}`);
  return {
    rounds: readCount('rounds', values.rounds, 100),
    measureMs: readCount('seconds', values.seconds, 600) * 1000,
    warmUpMs: WARM_UP_MS,
    connections: readCount('connections', values.connections, 1000),
    contestants: CONTESTANTS.filter(({ name }) => names === undefined || names.includes(name)),
    json: values.json,
  };
}

function readCount(option: string, text: string, max: number): number {
  const count = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Infinity;
  if (count > max) throw new Error(`--${option} must be a whole number from 1 to ${max}`);
  return count;
}

/** Every round starts every process anew, and each round begins with another contestant. */
async function runRounds({
  rounds,
  contestants,
  ...options
}: Options): Promise<Map<Contestant, LoadResult[]>> {
  const results = new Map<Contestant, LoadResult[]>(
    contestants.map((contestant) => [contestant, []]),
  );
  for (let round = 0; round < rounds; round++) {
    const first = round % contestants.length;
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const result = await runRound(contestant, options);
      results.get(contestant)?.push(result);
      const { requestsPerSecond, cpuMicrosPerRequest } = result;
      console.error(
        `round ${round + 1}, ${contestant.name}: ${requestsPerSecond.toFixed(0)}/s, ${cpuMicrosPerRequest.toFixed(1)} µs`,
      );
    }
  }
  return results;
}

async function run(options: Options): Promise<void> {
  const { contestants, rounds, connections, measureMs, json } = options;
  const machine = { node: process.version, processors: cpus().length, fsyncMs: measureFsyncMs() };
  for (const { name, about } of contestants) console.log(`${name}: ${about}`);
  const enforcement = new Map<Contestant, Enforcement>();
  for (const contestant of contestants)
    enforcement.set(contestant, await probeEnforcement(contestant));
  console.log(
    `\nWho enforces what, by the status it answers with:\n${enforcementTable(enforcement)}\n`,
  );

  const results = await runRounds(options);
  const summaries = summarise(results);
  console.log(
    `\nnode ${machine.node}, ${machine.processors} processors, ${machine.fsyncMs.toFixed(2)} ms per fsync; ` +
      `${connections} connections, ${rounds} rounds of ${measureMs / 1000} s: median (least-most)\n` +
      resultTable(summaries, contestants),
  );
  const held = summaries
    .filter(({ loaderCpu }) => loaderCpu.median > BUSY_LOADER)
    .map(({ name }) => name);
  if (held.length > 0) {
    console.log(
      `The loader was as busy as it can be with ${held.join(', ')}: there, compare by CPU.`,
    );
  }
  if (json !== undefined) {
    const rows = [...results].map(([{ name }, each]) => ({ name, rounds: each }));
    writeFileSync(
      json,
      `${JSON.stringify({ machine, connections, measureMs, results: rows, summaries }, null, 2)}\n`,
    );
  }
}

// Children are ended and folders removed when this process exits, however it comes to that.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

let options;
try {
  options = readOptions();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exit(2);
}
await run(options);
