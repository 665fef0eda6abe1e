import { CREATE_HISTORY, migrationsSince } from '../migrations.js';
import type { Connection } from './connection.js';
import { isMissingRight, isUndefinedTable, SetupError } from './failure.js';

/** Names the lock that keeps two processes from migrating at the same time. */
const MIGRATION_LOCK = 7_305_815_106;

/**
 * Brings the schema up to date where it isn't, in one transaction. Where it is, no right is needed but to
 * read.
 * @throws NewerSchemaError; SetupError where the role lacks rights
 */
export async function migrate(connection: Connection): Promise<void> {
  if (migrationsSince(await schemaVersion(connection)).length === 0) return;
  try {
    await connection.query({ text: 'BEGIN' });
    await connection.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [MIGRATION_LOCK] });
    await connection.query({ text: CREATE_HISTORY });
    for (const { version, sql } of migrationsSince(await schemaVersion(connection))) {
      await connection.query({ text: sql });
      await connection.query({
        text: 'INSERT INTO schema_migrations (version, applied_at) VALUES ($1, $2)',
        values: [version, new Date().toISOString()],
      });
    }
    await connection.query({ text: 'COMMIT' });
  } catch (error) {
    if (!isMissingRight(error)) throw error;
    throw new SetupError(
      'the schema is to be migrated, and the role lacks the rights: run `npm run migrate` with a role that owns it',
      { cause: error },
    );
  }
}

/** The version of the newest migration that the database has had, 0 where it has had none. */
export async function schemaVersion(connection: Connection): Promise<number> {
  try {
    const [row] = await connection.query<{ version: number | null }>({
      text: 'SELECT MAX(version) AS version FROM schema_migrations',
    });
    return row?.version ?? 0;
  } catch (error) {
    if (isUndefinedTable(error)) return 0;
    throw error;
  }
}

/** @throws SetupError where the role lacks a right that the service needs */
export async function checkRights(connection: Connection): Promise<void> {
  const [row] = await connection.query<{ missing: string | null }>({
    text: `
      SELECT string_agg(needed.privilege || ' on ' || needed.tablename, ', ') AS missing
      FROM (VALUES ('plants', 'SELECT'), ('plants', 'INSERT'), ('write_check', 'SELECT'),
        ('write_check', 'INSERT'), ('write_check', 'UPDATE'), ('write_check', 'DELETE'))
        AS needed(tablename, privilege)
      WHERE NOT has_table_privilege(needed.tablename, needed.privilege)`,
  });
  if (row?.missing) throw new SetupError(`the role lacks rights: ${row.missing}`);
}
