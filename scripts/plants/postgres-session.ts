import { DatabaseError } from 'pg';
import type { PostgresUrl } from '../../src/database-url.js';
import { NewerSchemaError } from '../../src/plants/migrations.js';
import type { Connection } from '../../src/plants/postgres/connection.js';
import { connectToPrimary } from '../../src/plants/postgres/connections.js';
import { SetupError, TransientError } from '../../src/plants/postgres/failure.js';
import { StopError } from '../stop-error.js';

/** A connection to the primary, for one command. */
export interface Session {
  /**
   * Does something on the connection.
   * @throws StopError where the server can't or won't
   */
  run<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Connects, and trusts the settings of the URL as the service does.
 * @throws StopError
 */
export async function openSession(url: PostgresUrl): Promise<Session> {
  const { database, hosts, connectTimeoutMs } = url;

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isForPeople(error)) throw error;
      throw new StopError(`the store ${database} can't be used: ${error.message}`, {
        cause: error,
      });
    }
  }

  const { connection } = await attempt(() =>
    connectToPrimary(url, hosts, performance.now() + hosts.length * connectTimeoutMs),
  );
  return {
    run: (work) => attempt(() => work(connection)),
    close: () => connection.close(),
  };
}

function isForPeople(error: unknown): error is Error {
  return [DatabaseError, NewerSchemaError, SetupError, TransientError].some(
    (kind) => error instanceof kind,
  );
}
