import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../src/plants/postgres/open-database.js';
import { openPostgresPlantStore } from '../../src/plants/postgres/postgres-plant-store.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { postgresUrl } from './support/url.js';

const ROUNDS = 10;
const REPLICAS = 16;
const ROLE = 'serving';

let cluster: Cluster;
let database: string;

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.query('postgres', `CREATE ROLE ${ROLE} LOGIN`);
});
afterAll(() => cluster.remove());
beforeEach(async () => {
  database = await cluster.createDatabase();
});

describe('replicas that start at once on an empty database', () => {
  it.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
    'all come up, and one of them migrates it (round %i)',
    async () => {
      const url = postgresUrl(cluster.url(database));

      const opened = await Promise.allSettled(
        Array.from({ length: REPLICAS }, () => openPostgresPlantStore(url)),
      );
      for (const store of opened) if (store.status === 'fulfilled') await store.value.close();

      expect(opened.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect(await cluster.query(database, 'SELECT version FROM schema_migrations')).toHaveLength(
        2,
      );
      expect(await cluster.query(database, 'SELECT id FROM write_check')).toHaveLength(REPLICAS);
    },
  );
});

describe('a role without rights to define tables', () => {
  it('serves a schema that another role has migrated', async () => {
    await migrateDatabase(postgresUrl(cluster.url(database)));
    await cluster.query(
      database,
      `GRANT SELECT ON schema_migrations TO ${ROLE};
       GRANT SELECT, INSERT ON plants TO ${ROLE};
       GRANT SELECT, INSERT, UPDATE, DELETE ON write_check TO ${ROLE}`,
    );

    const store = await openPostgresPlantStore(postgresUrl(cluster.url(database, ROLE)));
    const result = await store.create({ id: 1n, name: 'fern' }, 'a');
    await store.close();

    expect(result).toBe('created');
  });

  it('refuses to start on a schema that is to be migrated, and says what to do', async () => {
    const open = openPostgresPlantStore(postgresUrl(cluster.url(database, ROLE)));

    await expect(open).rejects.toThrow(/lacks the rights: run `npm run migrate` with a role/);
  });

  it('refuses to start where it may not write, and names the rights', async () => {
    await migrateDatabase(postgresUrl(cluster.url(database)));
    await cluster.query(
      database,
      `GRANT SELECT ON schema_migrations, plants TO ${ROLE}; GRANT ALL ON write_check TO ${ROLE}`,
    );

    const open = openPostgresPlantStore(postgresUrl(cluster.url(database, ROLE)));

    await expect(open).rejects.toThrow(/the role lacks rights: INSERT on plants$/);
  });
});

describe('migrateDatabase', () => {
  it('waits for another process that migrates', async () => {
    const url = postgresUrl(cluster.url(database));

    await Promise.all(Array.from({ length: REPLICAS }, () => migrateDatabase(url)));

    expect(await cluster.query(database, 'SELECT version FROM schema_migrations')).toHaveLength(2);
  });
});
