import { afterAll, beforeAll } from '@jest/globals';
import { openPostgresPlantStore } from '../../src/plants/postgres/postgres-plant-store.js';
import { describeStores, type StoreUnderTest } from '../support/plant-store-suite.js';
import { startPgbouncer, type Pooler } from './support/pgbouncer.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { postgresUrl } from './support/url.js';

let cluster: Cluster;
let pooler: Pooler;
beforeAll(async () => {
  cluster = await startCluster();
  pooler = await startPgbouncer(cluster);
});
afterAll(async () => {
  await pooler.remove();
  await cluster.remove();
});

async function postgresStore(
  areStatementsNamed: boolean,
  server: Pick<Cluster, 'url'> = cluster,
): Promise<StoreUnderTest> {
  const database = await cluster.createDatabase();
  const url = postgresUrl(server.url(database));
  return {
    open: () => openPostgresPlantStore(url, { areStatementsNamed }),
    plants: () => cluster.plants(database),
    query: async (sql) => (await cluster.query(database, sql)).map(Object.values),
    remove: async () => {
      await cluster.query('postgres', `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

describeStores({
  'the PostgreSQL store': () => postgresStore(true),
  'the PostgreSQL store with nothing prepared by name': () => postgresStore(false),
  'that store through pgbouncer': () => postgresStore(false, pooler),
});
