import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from 'contract-server';
import { CREATE_HISTORY, migrationsSince } from './migrations.js';
import type { StoreFault } from './plant-store.js';
import { faultOf, openDatabase, transact, type Database } from './sqlite-driver.js';

/** The file of a store can't be used. The message is for who runs the service: why, and what to do. */
export class StoreFileError extends StartError {
  override readonly name = 'StoreFileError';
}

export interface StoreFileOptions {
  /** Called where the file is too large to be checked at start. */
  readonly onUnchecked?: (bytes: number) => void;
}

/** Up to this size, which is three million plants and takes most of a second, the file is checked at start. */
const MAX_CHECKED_BYTES = 256 * 1024 * 1024;
/** How long another process may hold the lock at start, when there is nobody yet to be kept waiting. */
const START_LOCK_TIMEOUT_MS = 1000;

const REASONS: Partial<Readonly<Record<StoreFault, string>>> = {
  locked: 'another process holds its lock; let it finish, or stop it',
  full: 'its disk is full; make room',
  corrupt: 'it is damaged, or no SQLite database; restore a backup',
  'read-only': 'it can not be written; see to its permissions, and to how its disk is mounted',
};

/**
 * Opens, and where need be creates, the SQLite file of a store, private to the user as its folder is, and
 * looks for damage in it. After that no statement waits for a lock: it fails, and may be tried again.
 * @throws StoreFileError
 */
export function openStoreFile(path: string, { onUnchecked }: StoreFileOptions = {}): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Made before SQLite does, for its mode; SQLite gives the same to the files it adds beside it.
  closeSync(openSync(path, 'a', 0o600));
  const db = openDatabase(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${START_LOCK_TIMEOUT_MS}`);
    db.exec('PRAGMA journal_mode = WAL');
    // In WAL mode, FULL is what makes a commit wait for the disk.
    db.exec('PRAGMA synchronous = FULL');
    const { size } = statSync(path);
    if (size > MAX_CHECKED_BYTES) onUnchecked?.(size);
    else checkPages(db);
    migrate(db);
    db.exec('PRAGMA busy_timeout = 0');
  } catch (error) {
    db.close();
    const reason = error instanceof DamageError ? REASONS.corrupt : REASONS[faultOf(error)];
    if (reason === undefined) throw error;
    throw new StoreFileError(`the store ${path} can't be used: ${reason} (${String(error)})`, {
      cause: error,
    });
  }
  return db;
}

/**
 * Brings the schema up to date, in one transaction.
 * @throws NewerSchemaError
 */
function migrate(db: Database): void {
  transact(db, () => {
    db.exec(CREATE_HISTORY);
    const newest = db.prepare('SELECT MAX(version) AS version FROM schema_migrations').get();
    const record = db.prepare('INSERT INTO schema_migrations (version, applied_at) VALUES (?, ?)');
    for (const { version, sql } of migrationsSince(Number(newest?.version ?? 0))) {
      db.exec(sql);
      record.run(version, new Date().toISOString());
    }
  });
}

class DamageError extends Error {}

/** Reads every page, but not what indexes say of rows, which would take three times as long. */
function checkPages(db: Database): void {
  const finding = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (finding !== 'ok') throw new DamageError(String(finding));
}

/**
 * Tells whether the files under a store's names are still those that were opened. SQLite goes on writing
 * into files that were removed or replaced, and what is in them is gone with the process.
 */
export function createFileCheck(path: string): () => boolean {
  const names = [path, `${path}-wal`, `${path}-shm`];
  const opened = names.map(identityOf);
  return () => names.every((name, index) => identityOf(name) === opened[index]);
}

function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.dev}.${stats.ino}`;
}
