import type { Contestant } from '../process/contestants.js';
import { endProcess, startNode } from '../process/child-process.js';
import { startServer, type Server } from '../process/server.js';
import type { LoadOptions } from './load.js';
import type { LoadResult } from './target-load.js';

export type RoundOptions = Omit<LoadOptions, 'targets' | 'turns'>;

/** How long a server's share of the load may take beyond its own time, most of it for the first answer. */
const LOAD_GRACE_MS = 90_000;

/**
 * Puts one contestant, newly started, under load.
 * @param databaseFile one that is there already, and stays
 * @throws Error as runLoad does, or where it hasn't kept exactly the plants it answered for
 */
export async function runRound(
  contestant: Contestant,
  options: RoundOptions,
  databaseFile?: string,
): Promise<LoadResult> {
  return theOnly(await runSideBySide([contestant], { ...options, turns: 1 }, databaseFile));
}

/**
 * Puts contestants, newly started, under load in turns.
 * @returns a result for each, in their order
 * @throws Error as runRound does
 */
export async function runSideBySide(
  contestants: readonly Contestant[],
  options: Omit<LoadOptions, 'targets'>,
  databaseFile?: string,
): Promise<LoadResult[]> {
  const servers: Server[] = [];
  try {
    for (const one of contestants) {
      await one.database?.empty();
      servers.push(await startServer(one, databaseFile));
    }
    const before = await Promise.all(servers.map((server) => server.countPlants()));
    const results = await runLoads(servers, options);
    for (const [index, server] of servers.entries()) {
      const kept = (await server.countPlants()) - (before[index] ?? NaN);
      const answered = results[index]?.answered;
      if (kept === answered) continue;
      throw new Error(`${server.name} answered for ${answered} plants and kept ${kept}`);
    }
    return results;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/**
 * Puts a server under load.
 * @throws Error where the load doesn't run to its end, or a request was refused
 */
export async function runLoad(server: Server, options: RoundOptions): Promise<LoadResult> {
  return theOnly(await runLoads([server], { ...options, turns: 1 }));
}

async function runLoads(
  servers: readonly Server[],
  options: Omit<LoadOptions, 'targets'>,
): Promise<LoadResult[]> {
  const targets = servers.map(({ port, token, pid }) => ({ port, token, pid }));
  const load: LoadOptions = { ...options, targets };
  const args = ['--import', 'tsx', 'scripts/bench/load/load.ts', JSON.stringify(load)];
  const child = startNode(args, {}, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const timeoutMs = servers.length * (options.warmUpMs + options.measureMs + LOAD_GRACE_MS);
  const timer = setTimeout(() => void endProcess(child), timeoutMs);
  await closed;
  clearTimeout(timer);
  if (child.exitCode !== 0) throw new Error('the load did not run to its end');
  const results = JSON.parse(output) as LoadResult[]; // written by load.ts
  for (const [index, { refused }] of results.entries()) {
    if (refused > 0) throw new Error(`${servers[index]?.name} refused ${refused} requests`);
  }
  return results;
}

function theOnly([result]: readonly LoadResult[]): LoadResult {
  if (result === undefined) throw new Error('the load has no result');
  return result;
}
