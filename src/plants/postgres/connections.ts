import type { PostgresHost, PostgresUrl } from '../../database-url.js';
import { connect, type Connection } from './connection.js';
import {
  isRefusedValue,
  isSetupFault,
  NoPrimaryError,
  SetupError,
  TransientError,
} from './failure.js';

/** Connections to the primary, whichever of the servers that is. */
export interface Connections {
  /**
   * Does work on a connection that nobody else has meanwhile. It is kept for the next work, unless it
   * failed.
   * @param deadline by `performance.now()`
   * @throws NoPrimaryError; what the work throws; TransientError where that takes too long
   */
  use<T>(work: (connection: Connection) => Promise<T>, deadline: number): Promise<T>;
  close(): Promise<void>;
}

const OLDEST_VERSION = 14;

/** What is asked of every server before it is used. */
const CHECK = `
  SELECT current_setting('server_version_num')::int / 10000 AS version,
    current_setting('server_version') AS release,
    pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only,
    current_setting('server_encoding') AS server_encoding,
    current_setting('client_encoding') AS client_encoding,
    current_setting('synchronous_commit') AS synchronous_commit`;

interface Server {
  readonly version: number;
  readonly release: string;
  readonly is_read_only: boolean;
  readonly server_encoding: string;
  readonly client_encoding: string;
  readonly synchronous_commit: string;
}

/** @param attemptTimeoutMs how long one work may take */
export function createConnections(url: PostgresUrl, attemptTimeoutMs: number): Connections {
  let idle: Connection[] = [];
  let first = 0;

  async function connectAnew(deadline: number): Promise<Connection> {
    const { hosts } = url;
    const inTurn = [...hosts.slice(first), ...hosts.slice(0, first)];
    const { connection, server } = await connectToPrimary(url, inTurn, deadline);
    first = hosts.indexOf(server);
    return connection;
  }

  return {
    async use(work, deadline) {
      idle = idle.filter(({ isOpen }) => isOpen);
      const connection = idle.pop() ?? (await connectAnew(deadline));
      const timeoutMs = Math.min(attemptTimeoutMs, deadline - performance.now());
      try {
        const result = await within(connection, () => work(connection), timeoutMs);
        idle.push(connection);
        return result;
      } catch (error) {
        if (isRefusedValue(error)) {
          idle.push(connection);
          throw error;
        }
        connection.destroy();
        // The others may lead to the same dead or demoted server.
        for (const other of idle) other.destroy();
        idle = [];
        first = (first + 1) % url.hosts.length;
        throw error;
      }
    },

    async close() {
      await Promise.all(idle.map((connection) => connection.close()));
      idle = [];
    },
  };
}

/**
 * Connects to the first of some servers that can be written to and is fit for the store.
 * @param deadline by `performance.now()`; one server is tried in any case
 * @throws NoPrimaryError
 */
export async function connectToPrimary(
  url: PostgresUrl,
  servers: readonly PostgresHost[],
  deadline: number,
): Promise<{ connection: Connection; server: PostgresHost }> {
  const reasons: { readonly server: PostgresHost; readonly error: unknown }[] = [];
  for (const server of servers) {
    if (reasons.length > 0 && performance.now() >= deadline) break;
    try {
      return { connection: await connectTo(url, server), server };
    } catch (error) {
      reasons.push({ server, error });
    }
  }
  throw new NoPrimaryError(
    reasons
      .map(({ server: { host, port }, error }) => `${host}:${port}: ${messageOf(error)}`)
      .join('; '),
    reasons.every(({ error }) => isSetupFault(error)),
  );
}

async function connectTo(url: PostgresUrl, server: PostgresHost): Promise<Connection> {
  const connection = await connect(url, server);
  try {
    refuseUnfit(
      await within(
        connection,
        () => connection.query<Server>({ text: CHECK }),
        url.connectTimeoutMs,
      ),
    );
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** @throws TransientError where the work takes longer; its connection is destroyed then */
async function within<T>(
  connection: Connection,
  work: () => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const attempt = { isLate: false };
  const timer = setTimeout(() => {
    attempt.isLate = true;
    connection.destroy();
  }, timeoutMs);
  try {
    return await work();
  } catch (error) {
    if (!attempt.isLate) throw error;
    throw new TransientError(`no answer within ${Math.round(timeoutMs)} ms`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function refuseUnfit([server]: readonly Server[]): void {
  if (server === undefined) throw new TransientError('the server does not say what it is');
  if (server.version < OLDEST_VERSION) {
    throw new SetupError(
      `it is PostgreSQL ${server.release}; version ${OLDEST_VERSION} is the oldest that will do`,
    );
  }
  if (server.is_read_only) throw new TransientError('it is a standby, or takes no writes');
  if (server.server_encoding !== 'UTF8' || server.client_encoding !== 'UTF8') {
    throw new SetupError(
      `the database has the encoding ${server.server_encoding}, and its clients ${server.client_encoding}; both must be UTF8`,
    );
  }
  if (!['on', 'remote_apply'].includes(server.synchronous_commit)) {
    throw new SetupError(
      `synchronous_commit is ${server.synchronous_commit}, so that a commit may be lost; it must be on or remote_apply for this role and database`,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
