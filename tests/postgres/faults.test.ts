import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  StoreUnavailableError,
  StoreUncertainError,
  type PlantStore,
} from '../../src/plants/plant-store.js';
import { openPostgresPlantStore } from '../../src/plants/postgres/postgres-plant-store.js';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { postgresUrl } from './support/url.js';

const TIMEOUTS = { createTimeoutMs: 1500, attemptTimeoutMs: 500 };
const FERN = { id: 1n, name: 'fern' };

let cluster: Cluster;
let store: PlantStore;

beforeEach(async () => {
  cluster = await startCluster();
  store = await openPostgresPlantStore(postgresUrl(cluster.url('postgres')), TIMEOUTS);
});
afterEach(async () => {
  await store.close();
  await cluster.remove();
});

/** From now on each commit waits for a standby that doesn't exist. */
async function awaitStandby(names: 'nobody' | ''): Promise<void> {
  await cluster.query('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await cluster.query('postgres', 'SELECT pg_reload_conf()');
  await eventually(async () => {
    const [row] = await cluster.query('postgres', 'SHOW synchronous_standby_names');
    return row?.synchronous_standby_names === names || undefined;
  });
}

const refusalOf = (create: Promise<unknown>): Promise<unknown> =>
  create.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a server that is not there', () => {
  it('stores nothing, and says so', async () => {
    await cluster.kill();
    // It finds the open connections broken. A create that was sent on one of them may be stored, for all we know.
    await expect(store.checkWritable()).rejects.toThrow(StoreUnavailableError);

    const refusal = await refusalOf(store.create(FERN, 'a'));

    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    expect(refusal).not.toBeInstanceOf(StoreUncertainError);
  });

  it('is waited for while there is time', async () => {
    await cluster.kill();
    const created = store.create(FERN, 'a');

    await cluster.start();

    expect(await created).toBe('created');
  });

  it('and comes back is used again, whatever became of the connections', async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => store.create({ id: BigInt(n + 2), name: 'x' }, 'a')),
    );
    await cluster.kill();
    await cluster.start();

    expect(await store.create(FERN, 'a')).toBe('created');
    await expect(store.checkWritable()).resolves.toBeUndefined();
  });
});

describe('a commit that is not replicated', () => {
  it('leaves open what was stored, until the standby is back', async () => {
    await awaitStandby('nobody');

    const refusal = await refusalOf(store.create(FERN, 'a'));

    expect(refusal).toBeInstanceOf(StoreUncertainError);
    await awaitStandby('');
    expect(await store.create(FERN, 'a')).toBe('unchanged');
  });
});

describe('a commit whose wait for the standby is cancelled', () => {
  it('is no commit: it is tried again until it is replicated', async () => {
    await awaitStandby('nobody');
    const created = store.create(FERN, 'a');
    await eventually(async () => {
      const cancelled = await cluster.query(
        'postgres',
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      return cancelled.length > 0 || undefined;
    });
    await eventually(async () => (await cluster.plants('postgres')).length === 1 || undefined);
    await awaitStandby('');

    expect(await created).toBe('unchanged');
  });

  it('is not believed where it was read by another', async () => {
    await cluster.query('postgres', "INSERT INTO plants VALUES (1, 'fern', NULL, '', '')");
    await awaitStandby('nobody');

    // The row is there to be seen, and may yet be lost.
    expect(await refusalOf(store.create(FERN, 'a'))).toBeInstanceOf(StoreUnavailableError);
    expect(await refusalOf(store.create({ id: 1n, name: 'oak' }, 'a'))).toBeInstanceOf(
      StoreUnavailableError,
    );
  });
});

describe('a row that the server refuses', () => {
  it('fails no neighbour', async () => {
    await cluster.query('postgres', "ALTER TABLE plants ADD CHECK (name <> 'nettle')");

    const settled = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        store.create({ id: BigInt(n), name: n % 10 === 3 ? 'nettle' : 'fern' }, 'a'),
      ),
    );

    expect(settled.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([
      3, 13, 23,
    ]);
    expect(settled[3]).toMatchObject({ reason: { code: '23514' } });
    expect(await cluster.plants('postgres')).toHaveLength(27);
  });
});

describe('the service', () => {
  it('answers 503 with what is known, and goes on without a restart', async () => {
    const service = await startService({ DATABASE_URL: cluster.url('postgres') });
    const body = { id: 7n, name: 'fern' };
    await cluster.kill();
    const down = await service.api.createPlant({ body });
    await cluster.start();
    const up = await service.api.createPlant({ body });
    await awaitStandby('nobody');
    const uncertain = await service.api.createPlant({ body: { id: 8n, name: 'oak' } });
    await awaitStandby('');
    const repeated = await service.api.createPlant({ body: { id: 8n, name: 'oak' } });
    await service.kill();

    expect([down.status, down.body]).toEqual([
      503,
      { error: 50302, message: expect.stringContaining('nothing was changed') },
    ]);
    expect(up.status).toBe(200);
    expect([uncertain.status, uncertain.body]).toEqual([
      503,
      { error: 50305, message: expect.stringContaining('may have been stored') },
    ]);
    expect(repeated.status).toBe(200);
  });
});
