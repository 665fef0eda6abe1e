import { pathToFileURL } from 'node:url';
import { Pool } from 'pg';
import type * as OurDriver from '../../../src/plants/sqlite-driver.js';
import type * as OurUrl from '../../../src/database-url.js';
import type * as OurStore from '../../../src/open-store.js';
import { readSetup, type PlantBody } from './setup.js';

const { databaseFile, databaseUrl } = readSetup();

/** Makes a plant durable: in our store where STORE is `ours`, else by an insert of its own. */
export const insert = await open();

function open() {
  if (process.env.STORE === 'ours') return openOurs();
  return databaseUrl.startsWith('postgres:') ? openPool() : openSimple();
}

/** The store that the service has, as it is built, through the function that the service calls. */
async function openOurs() {
  const { openStore } = (await import(builtUrl('open-store'))) as typeof OurStore; // what it is built from
  const { parseDatabaseUrl } = (await import(builtUrl('database-url'))) as typeof OurUrl; // likewise
  const store = await openStore({
    databaseUrl: parseDatabaseUrl(databaseUrl),
    namedStatements: true,
  });
  return async ({ id, name, tag }: PlantBody): Promise<void> => {
    const plant = { id: BigInt(id), name, ...(tag !== undefined && { tag }) };
    if ((await store.create(plant, 'bench')) === 'conflict') throw new Error('the id is taken');
  };
}

/** The plainest use of the same driver, with each commit on disk before it returns. */
async function openSimple() {
  const { openDatabase } = (await import(builtUrl('plants/sqlite-driver'))) as typeof OurDriver; // what it is built from
  const db = openDatabase(databaseFile);
  // It also keeps the database referred to: a statement alone doesn't, and the driver of older
  // versions of Node closes what is garbage.
  process.once('exit', () => {
    db.close();
  });
  db.exec('PRAGMA journal_mode = WAL');
  // In WAL mode, FULL is what makes an insert durable before it returns.
  db.exec('PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT)');
  const statement = db.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?)');
  // Or every insert beyond 2^53 fails, for the row id that `run` returns.
  statement.setReadBigInts(true);
  return ({ id, name, tag }: PlantBody): Promise<void> => {
    statement.run(id, name, tag ?? null);
    return Promise.resolve();
  };
}

/** As the pages of `pg` say: a pool as it comes, and a statement for each plant. */
function openPool() {
  const pool = new Pool({ connectionString: databaseUrl });
  const text = `INSERT INTO plants (id, name, tag, created_at, created_by) VALUES ($1, $2, $3, $4, 'bench')`;
  return Promise.resolve(async ({ id, name, tag }: PlantBody): Promise<void> => {
    await pool.query(text, [id, name, tag ?? null, new Date().toISOString()]);
  });
}

function builtUrl(name: string): string {
  return pathToFileURL(`dist/src/${name}.js`).href;
}
