import type { Contestant } from '../contestants.js';
import type { PassPlan } from '../options.js';
import { passTitle, type Pass } from '../report/bench-report.js';
import type { LoadResult } from './load.js';
import { runRound } from './round.js';

/** What a round takes beside the load: starting and ending two processes. */
const ROUND_OVERHEAD_MS = 2500;

/**
 * Puts everybody under the load of one pass. Every round starts every process anew, and each round
 * begins with another contestant. It says so where it ends early, because of the deadline.
 * @param deadline by performance.now()
 */
export async function runPass(
  { rounds, ...load }: PassPlan,
  contestants: readonly Contestant[],
  deadline: number,
): Promise<Pass> {
  const results: Record<string, LoadResult[]> = {};
  for (const { name } of contestants) results[name] = [];
  const pass: Pass = { ...load, results };
  const roundMs = load.warmUpMs + load.measureMs + ROUND_OVERHEAD_MS;
  for (let round = 0; round < rounds; round++) {
    if (performance.now() + roundMs * contestants.length > deadline) {
      console.error(`${passTitle(pass)}: time allows only ${round} of ${rounds} rounds`);
      break;
    }
    const first = round % contestants.length;
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const result = await runRound(contestant, { ...load, ids: 'ascending' });
      results[contestant.name]?.push(result);
      const { requestsPerSecond, cpuMicrosPerRequest } = result;
      console.error(
        `${passTitle(pass)}, round ${round + 1}, ${contestant.name}: ` +
          `${requestsPerSecond.toFixed(0)}/s, ${cpuMicrosPerRequest.toFixed(1)} µs`,
      );
    }
  }
  return pass;
}
