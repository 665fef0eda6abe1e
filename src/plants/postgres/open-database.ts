import { ConfigError, StartError } from 'contract-server';
import { DatabaseError } from 'pg';
import type { PostgresUrl } from '../../database-url.js';
import { NewerSchemaError } from '../migrations.js';
import type { Connection } from './connection.js';
import { createConnections, type Connections } from './connections.js';
import { isSetupFault, isTransient } from './failure.js';
import { retry } from './retry.js';
import { migrate } from './schema.js';

/** A migration of a large table takes long, and so does the wait for another process that makes it. */
const MIGRATION_TIMEOUT_MS = 3_600_000;

/**
 * Brings the schema of a database up to date, with a role that may.
 * @throws ConfigError that says in a line why the database can't be used; StartError where it may be in a moment
 */
export async function migrateDatabase(url: PostgresUrl): Promise<void> {
  const connections = createConnections(url, MIGRATION_TIMEOUT_MS);
  await explained(connections, () =>
    connections.use(migrate, performance.now() + MIGRATION_TIMEOUT_MS),
  );
  await connections.close();
}

/**
 * Prepares a database, on its primary, for which it waits while there may be one.
 * @throws ConfigError that says in a line why the database can't be used; StartError where it may be in a moment
 */
export async function openDatabase(
  connections: Connections,
  timeoutMs: number,
  prepare: (connection: Connection) => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  await explained(connections, () =>
    retry(deadline, () => connections.use(prepare, deadline), isSetupFault),
  );
}

async function explained(connections: Connections, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await connections.close();
    const isForPeople =
      error instanceof NewerSchemaError ||
      error instanceof DatabaseError ||
      isSetupFault(error) ||
      isTransient(error);
    if (!(error instanceof Error && isForPeople)) throw error;
    const line = `DATABASE_URL: the store can't be used: ${error.message}`;
    // What starts the service again is to do so where that may help, as after a start before the database's.
    throw isTransient(error) && !isSetupFault(error)
      ? new StartError(line)
      : new ConfigError([line]);
  }
}
