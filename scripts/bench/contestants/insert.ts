import { pathToFileURL } from 'node:url';
import type * as OurDriver from '../../../src/plants/sqlite-driver.js';
import type * as OurStore from '../../../src/plants/sqlite-plant-store.js';
import { readSetup, type PlantBody } from './setup.js';

const { databaseFile } = readSetup();

/** Makes a plant durable: in our store where STORE is `ours`, else by an insert of its own. */
export const insert = process.env.STORE === 'ours' ? await openOurs() : await openSimple();

/** The store that the service has, as it is built, through the function that the service calls. */
async function openOurs() {
  const { openSqlitePlantStore } = (await import(
    builtUrl('sqlite-plant-store')
  )) as typeof OurStore; // what it is built from
  const store = openSqlitePlantStore(databaseFile);
  return async ({ id, name, tag }: PlantBody): Promise<void> => {
    const plant = { id: BigInt(id), name, ...(tag !== undefined && { tag }) };
    if ((await store.create(plant, 'bench')) === 'conflict') throw new Error('the id is taken');
  };
}

/** The plainest use of the same driver, with each commit on disk before it returns. */
async function openSimple() {
  const { openDatabase } = (await import(builtUrl('sqlite-driver'))) as typeof OurDriver; // what it is built from
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

function builtUrl(name: string): string {
  return pathToFileURL(`dist/src/plants/${name}.js`).href;
}
