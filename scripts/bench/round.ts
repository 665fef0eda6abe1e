import Database from 'better-sqlite3';
import { endProcess, startNode } from './child-process.js';
import type { Contestant } from './contestants.js';
import type { LoadOptions, LoadResult } from './load.js';
import { startServer } from './server.js';

export type RoundOptions = Pick<LoadOptions, 'connections' | 'warmUpMs' | 'measureMs'>;

/** How long the load may take beyond its own time. */
const LOAD_GRACE_MS = 15_000;

/**
 * Puts one contestant, newly started, under load.
 * @throws Error where it refused a request, or hasn't kept exactly the plants it answered for
 */
export async function runRound(contestant: Contestant, options: RoundOptions): Promise<LoadResult> {
  const server = await startServer(contestant);
  try {
    const result = await runLoad({ ...options, ...server });
    if (result.refused > 0)
      throw new Error(`${contestant.name} refused ${result.refused} requests`);
    const kept = countPlants(server.databaseFile);
    if (kept !== result.answered) {
      throw new Error(`${contestant.name} answered for ${result.answered} plants and kept ${kept}`);
    }
    return result;
  } finally {
    await server.stop();
  }
}

async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, token, pid, connections, warmUpMs, measureMs } = options;
  const argument = JSON.stringify({ port, token, pid, connections, warmUpMs, measureMs });
  const child = startNode(['--import', 'tsx', 'scripts/bench/load.ts', argument], {}, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(() => void endProcess(child), warmUpMs + measureMs + LOAD_GRACE_MS);
  await closed;
  clearTimeout(timer);
  if (child.exitCode !== 0) throw new Error('the load did not run to its end');
  return JSON.parse(output) as LoadResult; // written by load.ts
}

function countPlants(databaseFile: string): number {
  const db = new Database(databaseFile, { readonly: true });
  try {
    return Number(db.prepare('SELECT COUNT(*) FROM plants').pluck().get());
  } finally {
    db.close();
  }
}
