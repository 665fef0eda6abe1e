import { once } from 'node:events';
import { readCpuMicros } from '../process/cpu-time.js';
import { endProcess, startNode } from '../process/child-process.js';
import { BENCH } from '../process/paths.js';
import { spread, type Spread } from '../report/spread.js';
import { CONNECTIONS, send, type Call } from './contract-calls.js';
import type { ServerState } from './server.js';

export interface Served {
  readonly pid: number;
  readonly port: number;
  readonly listeningMs: number;
  readonly startedAt: number;
  readonly stop: () => Promise<void>;
}

const FLAGS = ['--expose-gc', '--max-semi-space-size=16', '--import', 'tsx'];
/**
 * Building leaves much behind that is garbage soon, and between it what stays: without compaction V8
 * keeps twice the memory that is in use. With it, V8 does nothing else for some 80 ms at a time, so
 * that a warm-up, of which the stalls are measured and not the memory, goes without.
 */
const COMPACTION = '--compact-on-every-full-gc';
const WARM_UP_REQUESTS = 20_000;
const ROUNDS = 15;
const ROUND_REQUESTS = 4000;

/** Starts `server.ts` with what it reads of the environment, besides the contract. */
export async function serve(
  contract: string,
  env: { readonly ONLY?: string; readonly WARM_UP?: string } = {},
): Promise<Served> {
  const startedAt = performance.now();
  const flags = env.WARM_UP === 'true' ? FLAGS : [...FLAGS, COMPACTION];
  const child = startNode(
    [...flags, `${BENCH}large-contract/server.ts`],
    { CONTRACT: contract, ...env },
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

export async function stateOf({ port }: Served): Promise<ServerState> {
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

/** What a request costs where the whole contract is served, and where its operation alone is. */
export async function compareCosts(
  whole: Served,
  cut: Served,
  call: Call,
): Promise<Record<'whole' | 'cut' | 'ratio', Spread>> {
  for (const served of [whole, cut]) await measure(served, call, WARM_UP_REQUESTS);
  const rounds: { whole: number; cut: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Now one first, now the other: whatever slows the machine down for a while meets both.
    const [one, other] = round % 2 === 0 ? ([whole, cut] as const) : ([cut, whole] as const);
    const costs = new Map([[one, await measure(one, call, ROUND_REQUESTS)]]);
    costs.set(other, await measure(other, call, ROUND_REQUESTS));
    rounds.push({ whole: costs.get(whole) ?? NaN, cut: costs.get(cut) ?? NaN });
  }
  return {
    whole: spread(rounds.map((round) => round.whole)),
    cut: spread(rounds.map((round) => round.cut)),
    ratio: spread(rounds.map((round) => round.whole / round.cut)),
  };
}

export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

/** Prints a line; where a requirement isn't met, the exit status is 1. */
export function report(what: string, value: string, isMet?: boolean): void {
  const verdict = isMet === undefined ? '' : isMet ? '  met' : '  MISSED';
  console.log(`${what.padEnd(58)}${value}${verdict}`);
  if (isMet === false) process.exitCode = 1;
}

export function reportCosts(
  { whole, cut, ratio }: Awaited<ReturnType<typeof compareCosts>>,
  most: number,
): void {
  report('CPU per request, µs: whole contract', whole.median.toFixed(1));
  report('CPU per request, µs: that operation alone', cut.median.toFixed(1));
  report(
    'whole / alone',
    `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)})`,
    ratio.median <= most,
  );
}
