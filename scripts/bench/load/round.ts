import Database from 'better-sqlite3';
import type { Contestant } from '../contestants.js';
import { endProcess, startNode } from '../process/child-process.js';
import { startServer, type Server } from '../process/server.js';
import type { LoadOptions, LoadResult } from './load.js';

export type RoundOptions = Omit<LoadOptions, 'port' | 'token' | 'pid'>;

/** How long the load may take beyond its own time, most of it for the first answer. */
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
  const server = await startServer(contestant, databaseFile);
  try {
    const before = countPlants(server);
    const result = await runLoad(server, options);
    const kept = countPlants(server) - before;
    if (kept !== result.answered) {
      throw new Error(`${contestant.name} answered for ${result.answered} plants and kept ${kept}`);
    }
    return result;
  } finally {
    await server.stop();
  }
}

/**
 * Puts a server under load.
 * @throws Error where the load doesn't run to its end, or a request was refused
 */
export async function runLoad(server: Server, options: RoundOptions): Promise<LoadResult> {
  const { port, token, pid } = server;
  const load: LoadOptions = { ...options, port, token, pid };
  const args = ['--import', 'tsx', 'scripts/bench/load/load.ts', JSON.stringify(load)];
  const child = startNode(args, {}, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const timeoutMs = options.warmUpMs + options.measureMs + LOAD_GRACE_MS;
  const timer = setTimeout(() => void endProcess(child), timeoutMs);
  await closed;
  clearTimeout(timer);
  if (child.exitCode !== 0) throw new Error('the load did not run to its end');
  const result = JSON.parse(output) as LoadResult; // written by load.ts
  if (result.refused > 0) throw new Error(`${server.name} refused ${result.refused} requests`);
  return result;
}

function countPlants({ databaseFile }: Server): number {
  const db = new Database(databaseFile, { readonly: true });
  try {
    return Number(db.prepare('SELECT COUNT(*) FROM plants').pluck().get());
  } finally {
    db.close();
  }
}
