import type { PostgresUrl } from '../../src/database-url.js';
import { migrate } from '../../src/plants/postgres/schema.js';
import type { PlantWriter } from './plant-writer.js';
import { openSession } from './postgres-session.js';

const INSERT = `
  INSERT INTO plants (id, name, tag, created_at, created_by)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
  ON CONFLICT (id) DO NOTHING`;

/** As the service's own fence does: waits until the standby has all that this statement could read. */
const FENCE = `SELECT pg_logical_emit_message(true, 'plants', '')`;

/**
 * Writes into a PostgreSQL database, whose schema is made where it isn't there.
 * @throws StopError
 */
export async function openPostgresWriter(url: PostgresUrl): Promise<PlantWriter> {
  const session = await openSession(url);
  try {
    await session.run(migrate);
  } catch (error) {
    await session.close();
    throw error;
  }

  return {
    insert: (plants) =>
      session.run(async (connection) => {
        await connection.query({
          name: 'plants_move',
          text: INSERT,
          values: [
            plants.map(({ id }) => String(id)),
            plants.map(({ name }) => name),
            plants.map(({ tag }) => tag ?? null),
            plants.map(({ createdAt }) => createdAt),
            plants.map(({ createdBy }) => createdBy),
          ],
        });
      }),
    confirm: () =>
      session.run(async (connection) => {
        await connection.query({ text: FENCE });
      }),
    close: () => session.close(),
  };
}
