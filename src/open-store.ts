import type { Config } from './config.js';
import type { PlantStore } from './plants/plant-store.js';

export interface OpenStoreHooks {
  /** Called where a SQLite file is too large to be checked at start. */
  readonly onUnchecked?: (bytes: number) => void;
}

/**
 * Opens the store of the configured engine, and loads the driver of that engine alone.
 * @throws StartError, ConfigError
 */
export async function openStore(
  { databaseUrl, namedStatements }: Pick<Config, 'databaseUrl' | 'namedStatements'>,
  hooks: OpenStoreHooks = {},
): Promise<PlantStore> {
  if (databaseUrl.engine === 'sqlite') {
    const { openSqlitePlantStore } = await import('./plants/sqlite-plant-store.js');
    return openSqlitePlantStore(databaseUrl.path, hooks);
  }
  const { openPostgresPlantStore } = await import('./plants/postgres/postgres-plant-store.js');
  return openPostgresPlantStore(databaseUrl, { areStatementsNamed: namedStatements });
}

/**
 * Brings the schema of the configured store up to date; the service needs no right to do so then.
 * @throws StartError, ConfigError
 */
export async function migrateStore(config: Pick<Config, 'databaseUrl'>): Promise<void> {
  const { databaseUrl } = config;
  if (databaseUrl.engine === 'sqlite') {
    const store = await openStore({ databaseUrl, namedStatements: false });
    await store.close();
    return;
  }
  const { migrateDatabase } = await import('./plants/postgres/open-database.js');
  await migrateDatabase(databaseUrl);
}
