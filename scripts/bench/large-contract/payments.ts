import { setTimeout as sleep } from 'node:timers/promises';
import { parseContract } from 'contract-server';
import { listOperations } from 'contract-server/contract';
import { readCpuMicros } from '../process/cpu-time.js';
import { showSpread, spread } from '../report/spread.js';
import { callNamed, callOf, send, type Call } from './contract-calls.js';
import { paymentContract } from './payment-contract.js';
import { compareCosts, megabytes, report, reportCosts, serve, stateOf } from './served.js';

const CONTRACT = 'payments';
/** It has a body, and its response reaches every schema. */
const MEASURED = 'create_7';
const MUST = { allMs: 60_000, memoryMb: 1000, firstMs: 300, stallMs: 20, ratio: 1.1 };

/** The server has warmed up once it uses less than this share of a processor for so long. */
const IDLE = { share: 0.5, forMs: 1000 };

/** Serves a contract whose schemas all reach each other, with and without warming it up. */
export async function measurePayments(): Promise<void> {
  const document = await parseContract(paymentContract);
  const operations = listOperations(document);
  const call = callNamed(document, MEASURED);

  const whole = await serve(CONTRACT);
  report('operations', String(operations.length));
  report('from start of the process to listening, ms', whole.listeningMs.toFixed(0));
  const firstMs: number[] = [];
  for (const operation of operations)
    firstMs.push(await timeOf(whole.port, callOf(document, operation)));
  const first = spread(firstMs);
  report('first request of each operation, ms', showSpread(first, 0), first.max <= MUST.firstMs);
  const allMs = performance.now() - whole.startedAt;
  report('from start of the process to all built, ms', allMs.toFixed(0), allMs <= MUST.allMs);
  const { rssBytes, broken, refused } = await stateOf(whole);
  report('memory (RSS) then, MB', megabytes(rssBytes), rssBytes <= MUST.memoryMb * 1e6);
  report(
    'operations that could not be built or called',
    String(broken.length),
    broken.length === 0,
  );
  report('stub responses that the contract refuses', String(refused.length), refused.length === 0);

  const cut = await serve(CONTRACT, { ONLY: MEASURED });
  reportCosts(await compareCosts(whole, cut, call), MUST.ratio);
  await Promise.all([whole.stop(), cut.stop()]);

  const warming = await serve(CONTRACT, { WARM_UP: 'true' });
  report('with warm-up: start of the process to listening, ms', warming.listeningMs.toFixed(0));
  const { tookMs, requestMs } = await watchWarmUp(warming, call);
  const stalls = spread(requestMs);
  report('then warmed up after, ms', tookMs.toFixed(0));
  report('requests meanwhile', String(requestMs.length));
  report('their time, ms', showSpread(stalls, 1), stalls.max <= MUST.stallMs);
  report(
    `of them longer than ${MUST.stallMs} ms`,
    String(requestMs.filter((ms) => ms > MUST.stallMs).length),
  );
  await warming.stop();
}

/** How long a request waits for its answer, in ms. */
async function timeOf(port: number, call: Call): Promise<number> {
  const start = performance.now();
  const { status } = await send(port, call);
  if (status >= 400) throw new Error(`${call.method} ${call.path} was answered with ${status}`);
  return performance.now() - start;
}

/** Sends one request at a time until the server has nothing else to do. */
async function watchWarmUp(
  { pid, port }: { readonly pid: number; readonly port: number },
  call: Call,
): Promise<{ tookMs: number; requestMs: readonly number[] }> {
  const requestMs: number[] = [];
  // The first builds its operation, which is no stall.
  await timeOf(port, call);
  const start = performance.now();
  let since = start;
  let cpuMicros = readCpuMicros(pid);
  for (;;) {
    requestMs.push(await timeOf(port, call));
    await sleep(1);
    const elapsed = performance.now() - since;
    if (elapsed < IDLE.forMs) continue;
    const used = readCpuMicros(pid) - cpuMicros;
    if (used / 1000 < elapsed * IDLE.share) return { tookMs: since - start, requestMs };
    since += elapsed;
    cpuMicros += used;
  }
}
