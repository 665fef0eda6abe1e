import type { DatabaseUrl } from '../../src/database-url.js';
import type { PlantWriter } from './plant-writer.js';
import type { Snapshot } from './snapshot.js';

/**
 * Opens a store to be read, and changes nothing in it. Whoever opens the snapshot closes it.
 * @throws StopError where there is no such store, or it can't be read
 */
export async function openSnapshot(url: DatabaseUrl): Promise<Snapshot> {
  if (url.engine === 'sqlite') {
    const { openSqliteSnapshot } = await import('./sqlite-snapshot.js');
    return openSqliteSnapshot(url.path);
  }
  const { openPostgresSnapshot } = await import('./postgres-snapshot.js');
  return openPostgresSnapshot(url);
}

/**
 * Opens a store to be written, and where need be makes its schema. Whoever opens the writer closes it.
 * @throws StopError where that can't be done
 */
export async function openPlantWriter(url: DatabaseUrl): Promise<PlantWriter> {
  if (url.engine === 'sqlite') {
    const { openSqliteWriter } = await import('./sqlite-writer.js');
    return openSqliteWriter(url.path);
  }
  const { openPostgresWriter } = await import('./postgres-writer.js');
  return openPostgresWriter(url);
}
