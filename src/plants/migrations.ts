/**
 * The schema's history. A released migration is never edited: a change is a new one at the end. The
 * SQL is what SQLite and PostgreSQL both run.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE plants (
     id BIGINT NOT NULL PRIMARY KEY,
     name TEXT NOT NULL,
     tag TEXT,
     created_at TEXT NOT NULL,
     created_by TEXT NOT NULL
   )`,
  `CREATE TABLE write_check (
     id INTEGER NOT NULL PRIMARY KEY,
     checked_at TEXT NOT NULL
   )`,
];

/** Keeps which of the migrations a store has had. */
export const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS schema_migrations (
   version INTEGER NOT NULL PRIMARY KEY,
   applied_at TEXT NOT NULL
 )`;

/**
 * The migrations that a store of this version hasn't had yet, with the version that each leads to.
 * @throws NewerSchemaError where a newer version of the service has written to the store
 */
export function migrationsSince(version: number): { version: number; sql: string }[] {
  if (version > MIGRATIONS.length) throw new NewerSchemaError(version);
  return MIGRATIONS.map((sql, index) => ({ version: index + 1, sql })).slice(version);
}

export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(version: number) {
    super(
      `the store has schema version ${version}, and this service knows ${MIGRATIONS.length}: run the newer service`,
    );
  }
}
