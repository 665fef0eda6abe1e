import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoreFault } from './plant-store.js';

/** The part of `node:sqlite` that the store uses. */
interface Sqlite {
  readonly DatabaseSync: new (path: string, options: { readOnly: boolean }) => Database;
}

export interface Database {
  readonly isOpen: boolean;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Integers are bound exactly as `bigint`, and read exactly after `setReadBigInts(true)`. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  /** One row at a time, so that they need not fit into memory together. */
  iterate(...values: SqlValue[]): Iterable<Row>;
  setReadBigInts(isEnabled: boolean): void;
}

export type SqlValue = bigint | number | string | null;
export type Row = Record<string, SqlValue>;

const sqlite = loadBuiltIn() ?? loadPackage();

/**
 * Opens a SQLite file, and creates it where it isn't there, unless it is opened to read only.
 * @throws Error that `faultOf` tells the kind of
 */
export function openDatabase(path: string, { readOnly = false } = {}): Database {
  return new sqlite.DatabaseSync(path, { readOnly });
}

/**
 * Closes a database in WAL mode, and leaves all of it in the one file. SQLite does so when the last
 * connection closes; but for the package, a connection is open until its statements are collected.
 */
export function closeDatabase(db: Database): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // What can't be moved now stays in the log, from where it is read at the next start.
  }
  db.close();
}

/** Runs `work` in one transaction that holds the write lock from its start; all of it or nothing is kept. */
export function transact<T>(db: Database, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** How long to wait before trying again; twice as long each time, up to the last. */
const FIRST_PAUSE_MS = 1;
const LAST_PAUSE_MS = 20;

/**
 * Does what another process's lock may be in the way of, again and again while it is and there is time.
 * SQLite's own waiting would hold up everything else that this process does.
 * @param deadline by `performance.now()`; it is tried once in any case
 */
export async function retryWhileLocked<T>(work: () => T, deadline: number): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (faultOf(error) !== 'locked' || performance.now() >= deadline) throw error;
    }
    await pause(pauseMs);
  }
}

/** SQLite's primary result codes, the lowest byte of a result code (https://sqlite.org/rescode.html). */
const FAULTS: Readonly<Record<number, StoreFault>> = {
  5: 'locked', // SQLITE_BUSY: by another connection
  6: 'locked', // SQLITE_LOCKED: by this one
  8: 'read-only', // SQLITE_READONLY
  11: 'corrupt', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  26: 'corrupt', // SQLITE_NOTADB
};

/** What an error of the driver says about the store. */
export function faultOf(error: unknown): StoreFault {
  const isCoded = typeof error === 'object' && error !== null && 'errcode' in error;
  const code = isCoded ? Number(error.errcode) : NaN;
  return FAULTS[code & 0xff] ?? 'other';
}

function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself, as it does where the disk is full: the first error counts.
  }
}

/** Node's own driver, which it has without a flag since 22.13. */
function loadBuiltIn(): Sqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  // Node 22 warns that the module may change. Nothing else is loaded, or can warn, meanwhile.
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite') as Sqlite | undefined; // as Node documents it
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The same driver for older versions of Node, with SQLite compiled into it. */
function loadPackage(): Sqlite {
  try {
    return createRequire(import.meta.url)('@photostructure/sqlite') as Sqlite; // the same API
  } catch (cause) {
    throw new Error(
      `Node ${process.versions.node} has no SQLite of its own: use 22.13 or newer, or install the optional dependency @photostructure/sqlite`,
      { cause },
    );
  }
}
