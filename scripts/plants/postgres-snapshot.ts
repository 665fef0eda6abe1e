import type { PostgresUrl } from '../../src/database-url.js';
import { migrationsSince } from '../../src/plants/migrations.js';
import type { Connection } from '../../src/plants/postgres/connection.js';
import { SetupError } from '../../src/plants/postgres/failure.js';
import { schemaVersion } from '../../src/plants/postgres/schema.js';
import { openSession } from './postgres-session.js';
import type { Snapshot } from './snapshot.js';
import type { StoredPlant } from './stored-plant.js';

const MIN_ID = -(2n ** 63n);
const MAX_ID = 2n ** 63n - 1n;

/**
 * As many plants from an id on as make a page: the first, and others up to 1,000 of them or 1 MiB. A cursor
 * would bound the rows alone, of which a thousand can be a gigabyte.
 */
const PAGE = `
  SELECT id, name, tag, created_at, created_by
  FROM (
    SELECT plants.*, sum(octet_length(name) + coalesce(octet_length(tag), 0)) OVER (
      ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
    FROM plants WHERE id >= $1 ORDER BY id LIMIT 1000
  ) AS page
  WHERE coalesce(bytes_before, 0) < 1048576`;

interface PlantRow {
  readonly id: string;
  readonly name: string;
  readonly tag: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

/**
 * A snapshot of a PostgreSQL database: one read-only transaction, which keeps nobody from writing.
 * @throws StopError
 */
export async function openPostgresSnapshot(url: PostgresUrl): Promise<Snapshot> {
  const session = await openSession(url);

  function readPage(from: bigint): Promise<StoredPlant[]> {
    return session.run(async (connection) => {
      const rows = await connection.query<PlantRow>({ text: PAGE, values: [String(from)] });
      return rows.map(plantOf);
    });
  }

  try {
    return {
      count: await session.run(begin),
      async *pages(after) {
        let from = after === undefined ? MIN_ID : after + 1n;
        while (from <= MAX_ID) {
          const page = await readPage(from);
          const last = page.at(-1);
          if (last === undefined) return;
          yield page;
          from = last.id + 1n;
        }
      },
      async find(id) {
        const [plant] = await readPage(id);
        return plant?.id === id ? plant : undefined;
      },
      close: () => session.close(),
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Begins the transaction, whose first statement that reads takes the snapshot; resolves with the count. */
async function begin(connection: Connection): Promise<number> {
  await connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' });
  const version = await schemaVersion(connection);
  if (version === 0) throw new SetupError('no service has ever kept plants in it');
  migrationsSince(version);
  const [row] = await connection.query<{ count: string }>({
    text: 'SELECT COUNT(*) AS count FROM plants',
  });
  return Number(row?.count);
}

function plantOf({
  id,
  name,
  tag,
  created_at: createdAt,
  created_by: createdBy,
}: PlantRow): StoredPlant {
  return { id: BigInt(id), name, ...(tag !== null && { tag }), createdAt, createdBy };
}
