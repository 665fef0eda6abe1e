import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrate } from './migrations.js';
import {
  StoreBusyError,
  StoreUnavailableError,
  type CreateResult,
  type NewPlant,
  type PlantStore,
} from './plant-store.js';
import { closeDatabase, faultOf, openDatabase, transact, type Database } from './sqlite-driver.js';

/** A create that waits for the next commit. */
interface WaitingCreate {
  readonly plant: NewPlant;
  readonly createdBy: string;
  readonly resolve: (result: CreateResult) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_WAITING = 10_000;
/** How long another process may hold the file's write lock. It blocks this process meanwhile. */
const LOCK_TIMEOUT_MS = 1000;

/**
 * Opens, and where need be creates, a store in a SQLite file. The file and its folder are private to
 * the user.
 *
 * Creates are committed in groups: those that arrive while one group goes to disk share the next
 * commit, so that many requests pay for one fsync, and each is answered only after its own.
 */
export function openSqlitePlantStore(path: string): PlantStore {
  const db = openStoreFile(path);
  const insert = db.prepare(
    `INSERT INTO plants (id, name, tag, created_at, created_by) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
  );
  const select = db.prepare('SELECT name, tag FROM plants WHERE id = ?');
  const markWritable = db.prepare(
    `INSERT INTO write_check (id, checked_at) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`,
  );

  function createOne({ plant, createdBy }: WaitingCreate, createdAt: string): CreateResult {
    const { id, name, tag } = plant;
    if (insert.run(id, name, tag ?? null, createdAt, createdBy).changes === 1) return 'created';
    const stored = select.get(id);
    return stored?.name === name && stored.tag === (tag ?? null) ? 'unchanged' : 'conflict';
  }

  function createAll(group: readonly WaitingCreate[]): CreateResult[] {
    const createdAt = new Date().toISOString();
    return transact(db, () => group.map((create) => createOne(create, createdAt)));
  }

  let waiting: WaitingCreate[] = [];

  function commit(): void {
    if (waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    let results: CreateResult[];
    try {
      results = createAll(group);
    } catch (error) {
      const unavailable = unavailableBecause('the commit failed', error);
      for (const { reject } of group) reject(unavailable);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const result = results[index];
      if (result === undefined) reject(new Error('a create has no result'));
      else resolve(result);
    }
  }

  return {
    create(plant, createdBy) {
      return new Promise((resolve, reject) => {
        if (!db.isOpen) {
          reject(new StoreUnavailableError('the store is closed'));
          return;
        }
        if (waiting.length >= MAX_WAITING) {
          reject(new StoreBusyError(`${MAX_WAITING} creates are waiting`));
          return;
        }
        // Everything that arrives in this turn of the event loop makes one group.
        if (waiting.length === 0) setImmediate(commit);
        waiting.push({ plant, createdBy, resolve, reject });
      });
    },

    flush: commit,

    checkWritable() {
      try {
        markWritable.run(new Date().toISOString());
        return Promise.resolve();
      } catch (error) {
        return Promise.reject(unavailableBecause('the store can not be written', error));
      }
    },

    close() {
      commit();
      if (db.isOpen) closeDatabase(db);
      return Promise.resolve();
    },
  };
}

function unavailableBecause(message: string, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(message, { fault: faultOf(cause), cause });
}

function openStoreFile(path: string): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Made before SQLite does, for its mode; SQLite gives the same to the files it adds beside it.
  closeSync(openSync(path, 'a', 0o600));
  const db = openDatabase(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
    db.exec('PRAGMA journal_mode = WAL');
    // In WAL mode, FULL is what makes a commit wait for the disk.
    db.exec('PRAGMA synchronous = FULL');
    migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}
