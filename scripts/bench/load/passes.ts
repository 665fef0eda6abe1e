import type { Contestant } from '../process/contestants.js';
import { runSideBySide } from './round.js';
import type { LoadResult } from './target-load.js';

/** The load of one pass. */
export interface PassLoad {
  readonly connections: number;
  readonly bodyBytes: number;
  /** Of each round. */
  readonly measureMs: number;
}

/** A pass that is to be run, and how often its load is put on everybody. */
export interface PassPlan extends PassLoad {
  readonly rounds: number;
  readonly warmUpMs: number;
}

/** What each round of a pass has measured, by the contestant's name. */
export interface Pass extends PassLoad {
  readonly results: Readonly<Record<string, readonly LoadResult[]>>;
}

/** What each program takes of a round beside the load: most of it, until it has started. */
const ROUND_OVERHEAD_MS = 1000;
/** Short beside what disturbs a machine, and long beside an answer. */
const TURN_MS = 250;
/** Answers to larger bodies take so long that a round is one turn. */
const LARGE_BODY_BYTES = 100_000;

interface RunningPass extends Pass {
  readonly plan: PassPlan;
  readonly results: Readonly<Record<string, LoadResult[]>>;
}

/**
 * Puts everybody under the loads of all passes: first all rounds of the first, then the others, which
 * take turns. A round that would end after the deadline isn't begun, and that is said.
 * @param deadline by performance.now()
 */
export async function runPasses(
  plans: readonly PassPlan[],
  contestants: readonly Contestant[],
  deadline: number,
): Promise<Pass[]> {
  const passes = plans.map((plan, index): RunningPass => {
    const takingPart = contestants.filter((one) => index === 0 || one.onlyFirstPass !== true);
    const { connections, bodyBytes, measureMs } = plan;
    const results = Object.fromEntries(takingPart.map(({ name }) => [name, []]));
    return { plan, connections, bodyBytes, measureMs, results };
  });
  for (const group of [passes.slice(0, 1), passes.slice(1)]) {
    const rounds = Math.max(0, ...group.map(({ plan }) => plan.rounds));
    for (let round = 0; round < rounds; round++) {
      for (const pass of group) await runRoundOf(pass, round, contestants, deadline);
    }
  }
  return passes
    .filter(({ results }) => Object.values(results).some(({ length }) => length > 0))
    .map(({ connections, bodyBytes, measureMs, results }) => ({
      connections,
      bodyBytes,
      measureMs,
      results,
    }));
}

/** Starts every process anew. */
async function runRoundOf(
  pass: RunningPass,
  round: number,
  contestants: readonly Contestant[],
  deadline: number,
): Promise<void> {
  const { plan, results } = pass;
  const takingPart = contestants.filter(({ name }) => name in results);
  const title = `${passTitle(pass)}, round ${round + 1}`;
  const roundMs = plan.warmUpMs + plan.measureMs + ROUND_OVERHEAD_MS;
  if (performance.now() + roundMs * takingPart.length > deadline) {
    console.log(`${title}: left out, for want of time`);
    return;
  }
  // Who comes first finds the disk idle.
  const first = Math.floor((round * takingPart.length) / plan.rounds);
  const inOrder = [...takingPart.slice(first), ...takingPart.slice(0, first)];
  const measured = await runSideBySide(inOrder, {
    ...plan,
    turns: plan.bodyBytes > LARGE_BODY_BYTES ? 1 : Math.ceil(plan.measureMs / TURN_MS),
    ids: 'ascending',
  });
  for (const [index, { name }] of inOrder.entries()) {
    const result = measured[index];
    if (result === undefined) throw new Error(`${name} has no result`);
    results[name]?.push(result);
    const { requestsPerSecond, cpuMicrosPerRequest } = result;
    console.error(
      `${title}, ${name}: ${requestsPerSecond.toFixed(0)}/s, ${cpuMicrosPerRequest.toFixed(1)} µs`,
    );
  }
}

export function passTitle({ connections, bodyBytes }: PassLoad): string {
  return `${connections} ${connections === 1 ? 'connection' : 'connections'}, ${showBytes(bodyBytes)}`;
}

function showBytes(bytes: number): string {
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`;
  return bytes >= 1000 ? `${Math.round(bytes / 1000)} kB` : `${bytes} B`;
}
