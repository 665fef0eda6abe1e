/**
 * `npm run bench:large`: serves the whole of GitHub's contract, and one operation cut from it, and
 * says what the size of a contract costs. Every operation is called once.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { readContract } from 'contract-server';
import { listOperations } from 'contract-server/contract';
import { readCommandLine } from '../command-line.js';
import { agent, callOf, CONNECTIONS, send, type Call } from './large-contract/contract-calls.js';
import type { ServerState } from './large-contract/server.js';
import { endProcess, startNode } from './process/child-process.js';
import { readCpuMicros } from './process/cpu-time.js';
import { installPackages } from './process/packages.js';
import { BENCH } from './process/paths.js';
import { spread } from './report/spread.js';

const CONTRACT = `${BENCH}node_modules/@octokit/openapi/generated/api.github.com.json`;
/** It has parameters, a body and a response body. */
const MEASURED = 'issues/create-label';
const MUST = { firstAnswerMs: 3000, memoryMb: 400, ratio: 1.1 };
const WARM_UP_REQUESTS = 20_000;
const ROUNDS = 15;
const ROUND_REQUESTS = 4000;

interface Served {
  readonly pid: number;
  readonly port: number;
  readonly listeningMs: number;
  readonly startedAt: number;
  readonly stop: () => Promise<void>;
}

/**
 * Building leaves much behind that is garbage soon, and between it what stays: without compaction V8
 * keeps twice the memory that is in use.
 */
const MEMORY_FLAGS = ['--max-semi-space-size=16', '--compact-on-every-full-gc'];

async function serve(only?: string): Promise<Served> {
  const startedAt = performance.now();
  const child = startNode(
    ['--expose-gc', ...MEMORY_FLAGS, '--import', 'tsx', `${BENCH}large-contract/server.ts`],
    { CONTRACT, ...(only !== undefined && { ONLY: only }) },
    'pipe',
  );
  if (child.stdout === null || child.pid === undefined) throw new Error('the server did not start');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number }; // written by the server
  return {
    pid: child.pid,
    port,
    listeningMs: performance.now() - startedAt,
    startedAt,
    stop: () => endProcess(child),
  };
}

async function stateOf({ port }: Served): Promise<ServerState> {
  const { text } = await send(port, {
    method: 'GET',
    path: '/-/state',
    headers: {},
    body: undefined,
  });
  return JSON.parse(text) as ServerState; // written by the server
}

/** Sends so many requests over all connections; the server's processor time for each. */
async function measure(served: Served, call: Call, requests: number): Promise<number> {
  const before = readCpuMicros(served.pid);
  let left = requests;
  const connection = async (): Promise<void> => {
    while (left-- > 0) {
      const { status } = await send(served.port, call);
      if (status >= 400) throw new Error(`${call.method} ${call.path} was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return (readCpuMicros(served.pid) - before) / requests;
}

function report(what: string, value: string, isMet?: boolean): void {
  const verdict = isMet === undefined ? '' : isMet ? '  met' : '  MISSED';
  console.log(`${what.padEnd(58)}${value}${verdict}`);
  if (isMet === false) process.exitCode = 1;
}

readCommandLine('usage: npm run bench:large', (args) => parseArgs({ args }));
installPackages();
const document = await readContract(CONTRACT);
const operations = listOperations(document);
const measured = operations.find(({ operationId }) => operationId === MEASURED);
if (measured === undefined) throw new Error(`the contract has no operation ${MEASURED}`);
const call = callOf(document, measured);

const whole = await serve();
const first = await send(whole.port, call);
const firstAnswerMs = performance.now() - whole.startedAt;
const booted = await stateOf(whole);
report('operations', String(operations.length));
report('from start of the process to listening, ms', whole.listeningMs.toFixed(0));
report(
  'to the first answer, ms',
  `${firstAnswerMs.toFixed(0)} (status ${first.status})`,
  firstAnswerMs < MUST.firstAnswerMs,
);
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
report(
  'memory (RSS) after that, MB',
  megabytes(booted.rssBytes),
  booted.rssBytes < MUST.memoryMb * 1e6,
);
for (const { what, pointer } of booted.notes.filter(({ pointer }) => pointer !== '')) {
  console.log(`  note: ${pointer}: ${what}`);
}

const cut = await serve(MEASURED);
for (const served of [whole, cut]) await measure(served, call, WARM_UP_REQUESTS);
const rounds: { whole: number; cut: number }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  // Now one first, now the other: whatever slows the machine down for a while meets both.
  const [one, other] = round % 2 === 0 ? ([whole, cut] as const) : ([cut, whole] as const);
  const costs = new Map([[one, await measure(one, call, ROUND_REQUESTS)]]);
  costs.set(other, await measure(other, call, ROUND_REQUESTS));
  rounds.push({ whole: costs.get(whole) ?? NaN, cut: costs.get(cut) ?? NaN });
}
const ratio = spread(rounds.map((round) => round.whole / round.cut));
report('CPU per request, µs: whole contract', spread(rounds.map((r) => r.whole)).median.toFixed(1));
report(
  'CPU per request, µs: that operation alone',
  spread(rounds.map((r) => r.cut)).median.toFixed(1),
);
report(
  'whole / alone',
  `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)})`,
  ratio.median <= MUST.ratio,
);
await cut.stop();

const startedBuilding = performance.now();
const statuses = new Map<number, number>();
for (const operation of operations) {
  const { status } = await send(whole.port, callOf(document, operation));
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}
const built = await stateOf(whole);
const buildMs = (performance.now() - startedBuilding) / operations.length;
report('first call of each operation, ms', buildMs.toFixed(1));
report('of that, JavaScript heap, MB', megabytes(built.heapBytes));
report(
  'memory (RSS) with all of them built, MB',
  megabytes(built.rssBytes),
  built.rssBytes < MUST.memoryMb * 1e6,
);
report(
  'answers by status',
  [...statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
);
report(
  'operations that could not be built or called',
  String(built.broken.length),
  built.broken.length === 0,
);
for (const line of built.broken) console.log(`  ${line}`);
report('stub responses that the contract refuses', String(built.refused.length));
await whole.stop();
agent.destroy();
