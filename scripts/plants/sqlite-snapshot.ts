import { existsSync } from 'node:fs';
import { migrationsSince } from '../../src/plants/migrations.js';
import { openDatabase, type Database, type Row } from '../../src/plants/sqlite-driver.js';
import { StopError } from '../stop-error.js';
import type { Snapshot } from './snapshot.js';
import type { StoredPlant } from './stored-plant.js';

/** For the moments in which a service that starts or stops holds the lock. */
const LOCK_TIMEOUT_MS = 5000;

const PAGE_ROWS = 1000;
/** Counted in UTF-16 code units. */
const PAGE_CHARACTERS = 1_048_576;

/** A snapshot of a SQLite file: one read transaction, which doesn't keep the service from writing. */
export function openSqliteSnapshot(path: string): Snapshot {
  if (!existsSync(path)) throw new StopError(`there is no store at ${path}`);
  let db: Database | undefined;
  try {
    db = openDatabase(path, { readOnly: true });
    db.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
    db.exec('BEGIN');
    return snapshotOf(db, path);
  } catch (error) {
    db?.close();
    throw readError(path, error);
  }
}

function snapshotOf(db: Database, path: string): Snapshot {
  function prepare(clause: string) {
    const statement = db.prepare(
      `SELECT id, name, tag, created_at, created_by FROM plants ${clause}`,
    );
    statement.setReadBigInts(true);
    return statement;
  }

  // The snapshot is of the moment in which the first row is read.
  refuseNewerSchema(db);
  const count = Number(db.prepare('SELECT COUNT(*) AS count FROM plants').get()?.count);
  const all = prepare('ORDER BY id');
  const later = prepare('WHERE id > ? ORDER BY id');
  const one = prepare('WHERE id = ?');

  return {
    count,
    *pages(after) {
      try {
        yield* paginate(plantsOf(after === undefined ? all.iterate() : later.iterate(after)));
      } catch (error) {
        throw readError(path, error);
      }
    },
    find(id) {
      const row = one.get(id);
      return Promise.resolve(row && plantOf(row));
    },
    close() {
      db.close();
      return Promise.resolve();
    },
  };
}

/** @throws NewerSchemaError, since there may be something that an export or a move would leave out */
function refuseNewerSchema(db: Database): void {
  const newest = db.prepare('SELECT MAX(version) AS version FROM schema_migrations').get();
  migrationsSince(Number(newest?.version ?? 0));
}

function* plantsOf(rows: Iterable<Row>): Generator<StoredPlant, void> {
  for (const row of rows) yield plantOf(row);
}

/** SQLite keeps any kind of value in any column, should another program have put it there. */
function plantOf({
  id,
  name,
  tag,
  created_at: createdAt,
  created_by: createdBy,
}: Row): StoredPlant {
  if (
    typeof id !== 'bigint' ||
    typeof name !== 'string' ||
    (typeof tag !== 'string' && tag !== null) ||
    typeof createdAt !== 'string' ||
    typeof createdBy !== 'string'
  ) {
    throw new Error(`the plant with the id ${String(id)} has a value of a wrong kind`);
  }
  return { id, name, ...(tag !== null && { tag }), createdAt, createdBy };
}

/** Puts plants together into pages; none holds many of the longest ones. */
function* paginate(plants: Iterable<StoredPlant>): Generator<StoredPlant[], void> {
  let page: StoredPlant[] = [];
  let characters = 0;
  for (const plant of plants) {
    page.push(plant);
    characters += plant.name.length + (plant.tag?.length ?? 0);
    if (page.length < PAGE_ROWS && characters < PAGE_CHARACTERS) continue;
    yield page;
    page = [];
    characters = 0;
  }
  if (page.length > 0) yield page;
}

function readError(path: string, error: unknown): StopError {
  const why = error instanceof Error ? error.message : String(error);
  return new StopError(`the store ${path} can't be read: ${why}`, { cause: error });
}
