import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { LANES } from '../../../src/plants/postgres/postgres-plant-store.js';
import { startNode } from '../process/child-process.js';
import { NODE_FLAGS } from '../process/server.js';
import type { BenchDatabase } from './database-server.js';
import type { Load, StoreLoad } from './store-load.js';

/** What the store alone creates, too. */
const NAME = 'monkey puzzle in the north garden';
const TAG = 'araucaria araucana';
const CREATOR = 'bench';
/** How far the ids of one client of pgbench are from the next one's. */
const ID_OFFSET = 1_000_000_000;

/** Plants per second of the store without HTTP, with so many callers. */
export function runStore(database: BenchDatabase, load: Load): Promise<number> {
  return runProgram(database, { ...load, program: 'store', batch: 1 });
}

/** Plants per second of `pg` alone, with the batches and the connections of `runPgbench`. */
export function runDriver(database: BenchDatabase, load: Load): Promise<number> {
  const { clients, batch } = batchesOf(load.callers);
  return runProgram(database, { ...load, program: 'pg', callers: clients, batch });
}

async function runProgram(database: BenchDatabase, load: Omit<StoreLoad, 'url'>): Promise<number> {
  await database.empty();
  const options: StoreLoad = { ...load, url: database.url };
  const script = 'scripts/bench/postgres/store-load.ts';
  const child = startNode(
    [...NODE_FLAGS, '--import', 'tsx', script, JSON.stringify(options)],
    {},
    'pipe',
  );
  if (child.stdout === null) throw new Error('the load says nothing');
  return Number(await text(child.stdout));
}

/** What so many callers want, spread evenly over the connections that the store has. */
function batchesOf(callers: number): { clients: number; batch: number } {
  const clients = Math.min(LANES, callers);
  return { clients, batch: Math.ceil(callers / clients) };
}

/** Plants per second of `pgbench`, as PostgreSQL has it, with the store's own statement. */
export async function runPgbench(
  database: BenchDatabase,
  { callers, warmUpMs, measureMs }: Load,
): Promise<number> {
  await database.empty();
  const { clients, batch } = batchesOf(callers);
  const folder = mkdtempSync(join(tmpdir(), 'plants-bench-'));
  const script = join(folder, 'create.sql');
  writeFileSync(script, scriptOf(batch));

  const run = async (firstId: number, timeMs: number): Promise<number> => {
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['--no-vacuum', '--protocol=prepared', `--define=first=${firstId}`],
      // Sent with every batch, as the store sends them.
      `--define=names=${arrayOf(batch, NAME)}`,
      `--define=tags=${arrayOf(batch, TAG)}`,
      `--define=creators=${arrayOf(batch, CREATOR)}`,
      ...[`--client=${clients}`, '--jobs=1', `--time=${Math.ceil(timeMs / 1000)}`],
      ...[`--file=${script}`, ...database.pgbenchArgs],
    ]);
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]) * batch;
  };

  try {
    // The first seconds of any load write into files of the log that are there; later ones make new files.
    await run(0, warmUpMs);
    return await run(ID_OFFSET / 2, measureMs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The statement with as many plants, whose ids no other client has. */
function scriptOf(batch: number): string {
  const ids = Array.from({ length: batch }, (_, index) => `:id::bigint + ${index}`);
  return `\\set first :first + ${batch}
\\set id :first + (:client_id + 1) * ${ID_OFFSET}
INSERT INTO plants (id, name, tag, created_at, created_by)
SELECT u.id, u.name, u.tag, '2026-11-22T10:15:20.123Z', u.created_by
FROM unnest(ARRAY[${ids.join(', ')}]::bigint[], :names::text[], :tags::text[], :creators::text[])
  AS u(id, name, tag, created_by)
ON CONFLICT (id) DO NOTHING RETURNING id;
`;
}

/** An array of so many equal texts, as PostgreSQL reads it. */
function arrayOf(batch: number, text: string): string {
  return `{${Array.from({ length: batch }, () => `"${text}"`).join(',')}}`;
}
