import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { LANES } from '../../../src/plants/postgres/postgres-plant-store.js';
import { startNode } from '../process/child-process.js';
import type { BenchDatabase } from './database-server.js';
import type { StoreLoad } from './store-load.js';

/** What the store alone creates, too. */
const NAME = 'monkey puzzle in the north garden';
const TAG = 'araucaria araucana';
const CREATOR = 'bench';

/** Plants per second of the store without HTTP, with so many callers. */
export async function runStore(
  database: BenchDatabase,
  load: Omit<StoreLoad, 'url'>,
): Promise<number> {
  await database.empty();
  const options: StoreLoad = { ...load, url: database.url };
  const script = 'scripts/bench/postgres/store-load.ts';
  const args = ['--conditions=workspace', '--import', 'tsx', script, JSON.stringify(options)];
  const child = startNode(args, {}, 'pipe');
  if (child.stdout === null) throw new Error('the load says nothing');
  return Number(await text(child.stdout));
}

/**
 * Plants per second of `pgbench`, as PostgreSQL has it, with the store's own statement, on as many
 * connections as the store has, in batches as large as those that the store makes of so many callers.
 */
export async function runPgbench(
  database: BenchDatabase,
  { callers, measureMs }: Omit<StoreLoad, 'url'>,
): Promise<number> {
  await database.empty();
  const clients = Math.min(LANES, callers);
  const batch = Math.ceil(callers / clients);
  const folder = mkdtempSync(join(tmpdir(), 'plants-bench-'));
  const script = join(folder, 'create.sql');
  writeFileSync(script, scriptOf(batch));
  try {
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['--no-vacuum', '--protocol=prepared', '--define=first=0'],
      // Sent with every batch, as the store sends them.
      `--define=names=${arrayOf(batch, NAME)}`,
      `--define=tags=${arrayOf(batch, TAG)}`,
      `--define=creators=${arrayOf(batch, CREATOR)}`,
      ...[`--client=${clients}`, '--jobs=1', `--time=${Math.ceil(measureMs / 1000)}`],
      ...[`--file=${script}`, ...database.pgbenchArgs],
    ]);
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]) * batch;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ID_OFFSET = 1_000_000_000;

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
