import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import type * as OurStore from '../../../src/plants/sqlite-plant-store.js';
import { readSetup, type PlantBody } from './setup.js';

const { databaseFile } = readSetup();

/** Makes a plant durable: in our store where STORE is `ours`, else by an insert of its own. */
export const insert = process.env.STORE === 'ours' ? await openOurs() : openSimple();

/** The store that the service has, as it is built, through the function that the service calls. */
async function openOurs() {
  const builtFile = pathToFileURL('dist/src/plants/sqlite-plant-store.js').href;
  const { openSqlitePlantStore } = (await import(builtFile)) as typeof OurStore; // what it is built from
  const store = openSqlitePlantStore(databaseFile);
  return async ({ id, name, tag }: PlantBody): Promise<void> => {
    const plant = { id: BigInt(id), name, ...(tag !== undefined && { tag }) };
    if ((await store.create(plant, 'bench')) === 'conflict') throw new Error('the id is taken');
  };
}

/** As better-sqlite3's page shows it, with each commit on disk before it returns. */
function openSimple() {
  const db = new Database(databaseFile);
  db.pragma('journal_mode = WAL');
  // In WAL mode, FULL is what makes an insert durable before it returns.
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT)');
  const statement = db.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?)');
  return ({ id, name, tag }: PlantBody): Promise<void> => {
    statement.run(id, name, tag ?? null);
    return Promise.resolve();
  };
}
