import { randomInt } from 'node:crypto';
import type { PostgresUrl } from '../../database-url.js';
import { createGroupCommit } from '../group-commit.js';
import { StoreUnavailableError, type CreateResult, type PlantStore } from '../plant-store.js';
import { commitBatch, type TryBatch } from './commit-batch.js';
import type { Connection } from './connection.js';
import { createConnections } from './connections.js';
import { createAll, FENCED_READ, type Create, type Statements } from './create-all.js';
import { openDatabase } from './open-database.js';
import { retry } from './retry.js';
import { checkRights, migrate } from './schema.js';

export interface PostgresStoreOptions {
  /** Whether statements may be prepared by name, which a pooler may not be able to pass on; they may by default. */
  readonly areStatementsNamed?: boolean;
  /** How long a create may take, with all its tries. */
  readonly createTimeoutMs?: number;
  /** How long one try may take, before it is made again on a new connection. */
  readonly attemptTimeoutMs?: number;
  /** How long the store may take to open while no server is ready. */
  readonly openTimeoutMs?: number;
  /** Reads plants by their ids, `$1`; the one by default stands behind a commit. */
  readonly readStatement?: string;
}

/** How many batches are committed at the same time, each on a connection of its own. */
export const LANES = 3;
/**
 * Free connections share what waits, each at least as many rows: while the server inserts one batch, the
 * next one is made. Batches that are smaller cost more commits than that gains.
 */
const MIN_SHARE_ROWS = 128;
const MAX_BATCH_ROWS = 1000;
const MAX_BATCH_CHARACTERS = 1_048_576;
const CREATE_TIMEOUT_MS = 10_000;
const ATTEMPT_TIMEOUT_MS = 4000;
/** What has less time left than this isn't tried any more. */
const MIN_TRY_MS = 200;
const OPEN_TIMEOUT_MS = 5000;
const CHECK_TIMEOUT_MS = 2000;
/** What a process that ended has left in the table of write checks is removed after this time. */
const CHECK_KEPT_MS = 86_400_000;

interface WaitingCreate extends Create {
  /** By `performance.now()`. */
  readonly deadline: number;
}

/**
 * Opens a store in a PostgreSQL database, and migrates it where need be.
 *
 * What is committed together is what waits when one of a few connections is free, or its share where more
 * of them are. A commit that fails with its server or its connection is tried again, on whichever server
 * is the primary then.
 * @throws ConfigError where the database can't be used, StartError where it can't now; NewerSchemaError
 */
export async function openPostgresPlantStore(
  url: PostgresUrl,
  {
    areStatementsNamed = true,
    createTimeoutMs = CREATE_TIMEOUT_MS,
    attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
    openTimeoutMs = OPEN_TIMEOUT_MS,
    readStatement = FENCED_READ,
  }: PostgresStoreOptions = {},
): Promise<PlantStore> {
  const connections = createConnections(url, attemptTimeoutMs);
  const statements: Statements = { areNamed: areStatementsNamed, read: readStatement };
  const processId = randomInt(1, 2 ** 31);
  let isClosing = false;

  async function checkWritable(connection: Connection): Promise<void> {
    // A row for each process: one for all would have every replica wait for the others.
    await connection.query({
      text: `INSERT INTO write_check (id, checked_at) VALUES ($1, $2)
        ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`,
      values: [processId, new Date().toISOString()],
    });
  }

  await openDatabase(connections, openTimeoutMs, async (connection) => {
    await migrate(connection);
    await checkRights(connection);
    await checkWritable(connection);
    await connection.query({
      text: 'DELETE FROM write_check WHERE checked_at < $1',
      values: [new Date(Date.now() - CHECK_KEPT_MS).toISOString()],
    });
  });

  const tryBatch: TryBatch = (batch, deadline) =>
    retry(deadline, () =>
      connections.use((connection) => createAll(connection, batch, statements), deadline),
    );

  async function commitInTime(
    creates: readonly WaitingCreate[],
  ): Promise<readonly (CreateResult | Error)[]> {
    const earliest = performance.now() + MIN_TRY_MS;
    const inTime = creates.filter(({ deadline }) => deadline >= earliest);
    const tooLate = creates
      .slice(inTime.length)
      .map(() => new StoreUnavailableError('it has waited for too long'));
    const [first] = inTime;
    if (first === undefined) return tooLate;
    // What waits longest comes first.
    const batch = { creates: inTime, mayBeStored: false };
    return [...tooLate, ...(await commitBatch(tryBatch, batch, first.deadline))];
  }

  const commits = createGroupCommit(commitInTime, { lanes: LANES, fit: fitBatch });

  return {
    async create(plant, createdBy) {
      if (isClosing) throw new StoreUnavailableError('the store is closed');
      const deadline = performance.now() + createTimeoutMs;
      const result = await commits.add({ plant, createdBy, deadline });
      if (result instanceof Error) throw result;
      return result;
    },

    flush: () => {
      commits.flush();
    },

    async checkWritable() {
      try {
        await connections.use(checkWritable, performance.now() + CHECK_TIMEOUT_MS);
      } catch (error) {
        throw new StoreUnavailableError('a write failed', { cause: error });
      }
    },

    async close() {
      isClosing = true;
      await commits.drain();
      await connections.close();
    },
  };
}

/** How many of those that wait go into one batch, from the first, where so many connections are free. */
function fitBatch(waiting: readonly { readonly item: Create }[], freeLanes: number): number {
  const share = Math.max(Math.ceil(waiting.length / freeLanes), MIN_SHARE_ROWS);
  const maxRows = Math.min(share, MAX_BATCH_ROWS);
  let characters = 0;
  const end = waiting.findIndex(({ item: { plant } }, index) => {
    characters += plant.name.length + (plant.tag?.length ?? 0);
    return index > 0 && (index === maxRows || characters > MAX_BATCH_CHARACTERS);
  });
  return end === -1 ? waiting.length : end;
}
