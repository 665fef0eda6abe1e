import { ConfigError } from 'contract-server';
import { DatabaseError } from 'pg';
import { NewerSchemaError } from '../migrations.js';
import type { Connection } from './connection.js';
import type { Connections } from './connections.js';
import { isSetupFault, isTransient } from './failure.js';
import { retry } from './retry.js';

/**
 * Prepares a database, on its primary, for which it waits while there may be one.
 * @throws ConfigError that says in a line why the database can't be used
 */
export async function openDatabase(
  connections: Connections,
  timeoutMs: number,
  prepare: (connection: Connection) => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  try {
    await retry(deadline, () => connections.use(prepare, deadline), isSetupFault);
  } catch (error) {
    await connections.close();
    const isForPeople =
      error instanceof NewerSchemaError ||
      error instanceof DatabaseError ||
      isSetupFault(error) ||
      isTransient(error);
    if (!(error instanceof Error && isForPeople)) throw error;
    throw new ConfigError([`DATABASE_URL: the store can't be used: ${error.message}`]);
  }
}
