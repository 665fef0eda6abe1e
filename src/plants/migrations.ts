import { transact, type Database } from './sqlite-driver.js';

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

/**
 * Brings the schema up to date, in one transaction.
 * @throws Error where a newer version of the service has written the file
 */
export function migrate(db: Database): void {
  transact(db, () => {
    db.exec(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         version INTEGER NOT NULL PRIMARY KEY,
         applied_at TEXT NOT NULL
       )`,
    );
    const newest = db.prepare('SELECT MAX(version) AS version FROM schema_migrations').get();
    const version = Number(newest?.version ?? 0);
    if (version > MIGRATIONS.length) {
      throw new Error(
        `the store has schema version ${version}, and this service knows ${MIGRATIONS.length}: run the newer service`,
      );
    }
    const record = db.prepare('INSERT INTO schema_migrations (version, applied_at) VALUES (?, ?)');
    for (const [index, sql] of MIGRATIONS.entries()) {
      if (index < version) continue;
      db.exec(sql);
      record.run(index + 1, new Date().toISOString());
    }
  });
}
