import { readContract } from 'contract-server';
import { listOperations } from 'contract-server/contract';
import { BENCH } from '../process/paths.js';
import { callNamed, callOf, send } from './contract-calls.js';
import { compareCosts, megabytes, report, reportCosts, serve, stateOf } from './served.js';

const CONTRACT = `${BENCH}node_modules/@octokit/openapi/generated/api.github.com.json`;
/** It has parameters, a body and a response body. */
const MEASURED = 'issues/create-label';
const MUST = { firstAnswerMs: 3000, memoryMb: 400, ratio: 1.1 };

/** Serves the whole of GitHub's contract, and one operation cut from it; every operation is called once. */
export async function measureGitHub(): Promise<void> {
  const document = await readContract(CONTRACT);
  const operations = listOperations(document);
  const call = callNamed(document, MEASURED);

  const whole = await serve(CONTRACT);
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
  report(
    'memory (RSS) after that, MB',
    megabytes(booted.rssBytes),
    booted.rssBytes < MUST.memoryMb * 1e6,
  );
  for (const { what, pointer } of booted.notes.filter(({ pointer }) => pointer !== '')) {
    console.log(`  note: ${pointer}: ${what}`);
  }

  const cut = await serve(CONTRACT, { ONLY: MEASURED });
  reportCosts(await compareCosts(whole, cut, call), MUST.ratio);
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
}
