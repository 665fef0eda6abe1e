import {
  closeDatabase,
  retryWhileLocked,
  transact,
  type Database,
} from '../../src/plants/sqlite-driver.js';
import { openStoreFile } from '../../src/plants/store-file.js';
import { StopError } from '../stop-error.js';
import type { PlantWriter } from './plant-writer.js';

/** How long another process may hold the lock of the file. */
const LOCK_TIMEOUT_MS = 10_000;

/** Writes into a SQLite file, which is created where it isn't there. */
export function openSqliteWriter(path: string): PlantWriter {
  const db = openFile(path);
  const insert = db.prepare(
    `INSERT INTO plants (id, name, tag, created_at, created_by) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
  );

  return {
    async insert(plants) {
      const insertAll = (): void => {
        for (const { id, name, tag, createdAt, createdBy } of plants) {
          insert.run(id, name, tag ?? null, createdAt, createdBy);
        }
      };
      try {
        const deadline = performance.now() + LOCK_TIMEOUT_MS;
        await retryWhileLocked(() => {
          transact(db, insertAll);
        }, deadline);
      } catch (error) {
        throw new StopError(`the store ${path} can't be written: ${String(error)}`, {
          cause: error,
        });
      }
    },
    // Nothing can be read in a SQLite file with synchronous=FULL before it is on disk.
    confirm: () => Promise.resolve(),
    close() {
      closeDatabase(db);
      return Promise.resolve();
    },
  };
}

function openFile(path: string): Database {
  try {
    return openStoreFile(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StopError(why, { cause: error });
  }
}
