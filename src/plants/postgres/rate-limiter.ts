import { createHash } from 'node:crypto';
import type { RateLimiter, RateLimitPolicy } from 'contract-server';
import type { QueryConfig } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { PostgresUrl } from '../../database-url.js';
import type { Connection } from './connection.js';
import { createConnections } from './connections.js';
import { isMissingRight, SetupError } from './failure.js';
import { openDatabase } from './open-database.js';
import { shareCounts } from './shared-count.js';

/** A limiter that must be closed. */
export interface OpenRateLimiter {
  readonly limiter: RateLimiter;
  readonly close: () => Promise<void>;
}

export interface RateLimiterOptions {
  /** Whether statements may be prepared by name, which a pooler may not be able to pass on; they may by default. */
  readonly areStatementsNamed?: boolean;
}

const TABLE = 'rate_limits';
/** Without a log a count waits for no disk; it is lost where the server crashes, and at a failover. */
const CREATE_TABLE = `CREATE UNLOGGED TABLE IF NOT EXISTS ${TABLE} (key VARCHAR(255) PRIMARY KEY, points INTEGER NOT NULL DEFAULT 0, expire BIGINT)`;
/** How many callers are counted at the same time, each on a connection of its own. */
const LANES = 3;
/** How long a count may wait for the database; after that, this process counts by itself. */
const COUNT_TIMEOUT_MS = 500;
const OPEN_TIMEOUT_MS = 5000;

/**
 * Opens a limiter that counts for all processes on a PostgreSQL database. While that can't count, each
 * process does for itself.
 * @throws ConfigError where the database can't be used, StartError where it can't now
 */
export async function openPostgresRateLimiter(
  url: PostgresUrl,
  { requests, windowSeconds }: RateLimitPolicy,
  { areStatementsNamed = true }: RateLimiterOptions = {},
): Promise<OpenRateLimiter> {
  const connections = createConnections(url, COUNT_TIMEOUT_MS);
  await openDatabase(connections, OPEN_TIMEOUT_MS, createTable);
  const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
  let next = 0;

  async function query({ name, ...statement }: QueryConfig): Promise<{ rows: object[] }> {
    const deadline = performance.now() + COUNT_TIMEOUT_MS;
    const named = areStatementsNamed && name !== undefined ? { name, ...statement } : statement;
    const lane = next++ % LANES;
    const counted = Promise.resolve(lanes[lane]).then(async () => {
      if (performance.now() >= deadline) throw new Error('the database is slow to count');
      return connections.use((connection) => connection.query<object>(named), deadline);
    });
    lanes[lane] = counted.catch(() => undefined);
    return { rows: await counted };
  }

  const policy = { points: requests, duration: windowSeconds };
  const counter = new RateLimiterPostgres({
    ...policy,
    storeClient: { query },
    storeType: 'client',
    tableName: TABLE,
    tableCreated: true,
    keyPrefix: '',
    insuranceLimiter: new RateLimiterMemory(policy),
  });
  const shared = shareCounts(counter, requests);
  return {
    // A name may be longer than a key can be, and needn't be in another table.
    limiter: { consume: (name) => shared.consume(digestOf(String(name))) },
    close: () => connections.close(),
  };
}

async function createTable(connection: Connection): Promise<void> {
  // Only who may create tables may say IF NOT EXISTS.
  const [row] = await connection.query<{ name: string | null }>({
    text: 'SELECT to_regclass($1) AS name',
    values: [TABLE],
  });
  if (row?.name != null) return;
  try {
    await connection.query({ text: CREATE_TABLE });
  } catch (error) {
    if (!isMissingRight(error)) throw error;
    throw new SetupError(
      `RATE_LIMIT needs the table ${TABLE}, and the role may not create it: run "${CREATE_TABLE}" with a role that may, and GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLE} to this one`,
      { cause: error },
    );
  }
}

function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
