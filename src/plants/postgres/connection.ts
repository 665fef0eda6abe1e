import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { Client, DatabaseError, type QueryConfig } from 'pg';
import type { PostgresHost, PostgresUrl, SslMode } from '../../database-url.js';
import { SetupError, TransientError } from './failure.js';
import { findPassword } from './password.js';

/** A connection to one server. After an error that isn't the server's own it is of no use any more. */
export interface Connection {
  /**
   * Rows as text, in the order of the statement.
   * @throws DatabaseError that the server gives; TransientError where it gives no answer or a warning
   */
  query<Row>(statement: QueryConfig): Promise<Row[]>;
  readonly isOpen: boolean;
  /** Ends it at once, whatever it waits for. No cancel request is sent: that could leave a commit half replicated. */
  destroy(): void;
  /** Says good-bye to the server. */
  close(): Promise<void>;
}

/** How long a good-bye may take. */
const CLOSE_TIMEOUT_MS = 500;

/**
 * Connects to one server.
 * @throws DatabaseError, SetupError, or TransientError
 */
export async function connect(url: PostgresUrl, server: PostgresHost): Promise<Connection> {
  const tls = server.host.startsWith('/') ? undefined : tlsOptions(url, server.host);
  if (tls === undefined) return open(url, server, false);
  try {
    return await open(url, server, tls);
  } catch (error) {
    // As libpq's `prefer`: a server that has no TLS, or none that works, is taken without.
    if (url.sslMode !== 'prefer' || !(error instanceof TlsError)) throw error;
    return open(url, server, false);
  }
}

/** There is no TLS, or none that is trusted. */
class TlsError extends SetupError {}

async function open(
  url: PostgresUrl,
  { host, port }: PostgresHost,
  ssl: ConnectionOptions | false,
): Promise<Connection> {
  const socket = new Socket();
  const client = new Client({
    stream: () => socket,
    host,
    port,
    user: url.user,
    database: url.database,
    password: () => findPassword(url, { host, port }),
    ssl,
    application_name: url.applicationName,
    connectionTimeoutMillis: url.connectTimeoutMs,
    keepAlive: true,
  });
  let isOpen = true;
  const warnings: string[] = [];
  client.on('error', () => (isOpen = false));
  client.on('end', () => (isOpen = false));
  client.on('notice', ({ code, message }) => {
    if (code?.startsWith('01')) warnings.push(message ?? code);
  });
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw connectFailure(error, ssl !== false);
  }

  return {
    async query<Row>(statement: QueryConfig): Promise<Row[]> {
      warnings.length = 0;
      try {
        const { rows } = await client.query<Row & object>(statement);
        // Such as that a commit no longer waits for the standby: it is then not what was asked for.
        if (warnings.length > 0)
          throw new TransientError(`the server warns: ${warnings.join('; ')}`);
        return rows;
      } catch (error) {
        if (error instanceof DatabaseError || error instanceof TransientError) throw error;
        throw new TransientError(`the connection broke: ${String(error)}`, { cause: error });
      }
    },
    get isOpen() {
      return isOpen;
    },
    destroy() {
      isOpen = false;
      socket.destroy();
    },
    async close() {
      isOpen = false;
      const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
      await client.end();
      clearTimeout(timer);
    },
  };
}

function connectFailure(error: unknown, isWithTls: boolean): unknown {
  if (error instanceof DatabaseError || error instanceof SetupError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isOfNetwork =
    (error instanceof Error && 'syscall' in error) || /^(timeout|Connection term)/.test(message);
  const Failure = isWithTls && !isOfNetwork ? TlsError : TransientError;
  return new Failure(message, { cause: error });
}

/** As libpq has it (PostgreSQL documentation, 34.19.1); undefined for no TLS. */
function tlsOptions(url: PostgresUrl, host: string): ConnectionOptions | undefined {
  if (url.sslMode === 'disable') return undefined;
  const pem = (path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch (cause) {
      throw new SetupError(`${path} can't be read (${String(cause)})`, { cause });
    }
  };
  const verified: readonly SslMode[] = ['verify-ca', 'verify-full'];
  const isVerified =
    verified.includes(url.sslMode) || (url.sslMode === 'require' && url.sslRootCert !== undefined);
  return {
    rejectUnauthorized: isVerified,
    checkServerIdentity: (_name, certificate) =>
      url.sslMode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
    ...(url.sslRootCert && { ca: pem(url.sslRootCert) }),
    ...(url.sslCert && { cert: pem(url.sslCert) }),
    ...(url.sslKey && { key: pem(url.sslKey) }),
  };
}
