import { closeSync, copyFileSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, type PlantStore } from '../../src/plants/plant-store.js';
import { openDatabase, type Database } from '../../src/plants/sqlite-driver.js';
import { openSqlitePlantStore } from '../../src/plants/sqlite-plant-store.js';
import { StoreFileError } from '../../src/plants/store-file.js';
import { query, storedPlants } from '../support/database.js';
import { createFolder } from '../support/service.js';

/**
 * Written through better-sqlite3 12.11: three plants, a graceful stop, 24 plants, `kill -9`. The
 * plants of the second start are in the write-ahead log alone.
 */
const LEFT_BEHIND = new URL('../fixtures/left-behind.db', import.meta.url).pathname;

let path: string;
let store: PlantStore;

beforeEach(() => {
  path = `${createFolder()}/deep/plants.db`;
  store = openSqlitePlantStore(path);
});

afterEach(async () => {
  await store.close();
});

/** The values of each row. */
function rows(sql: string): unknown[][] {
  return query(path, sql).map(Object.values);
}

describe('create', () => {
  it('commits creates that arrive together at once', async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => store.create({ id: BigInt(n), name: 'x' }, 'a')),
    );

    expect(rows('SELECT COUNT(DISTINCT created_at) FROM plants')).toEqual([[1n]]);
  });

  it('commits what is waiting at once where it is told to', () => {
    void store.create({ id: 1n, name: 'fern' }, 'a');
    void store.create({ id: 2n, name: 'oak' }, 'a');

    store.flush();

    expect(rows('SELECT id, name FROM plants')).toEqual([
      [1n, 'fern'],
      [2n, 'oak'],
    ]);
  });

  it('fails exactly the group whose commit fails', async () => {
    const lock = openDatabase(path);
    lock.exec('BEGIN IMMEDIATE');

    const failed = await Promise.allSettled([
      store.create({ id: 1n, name: 'fern' }, 'a'),
      store.create({ id: 2n, name: 'oak' }, 'a'),
    ]);
    lock.exec('ROLLBACK');
    lock.close();
    const later = await store.create({ id: 2n, name: 'oak' }, 'a');

    expect(failed).toEqual([
      { status: 'rejected', reason: expect.any(StoreUnavailableError) },
      { status: 'rejected', reason: expect.any(StoreUnavailableError) },
    ]);
    expect(later).toBe('created');
    expect(rows('SELECT id FROM plants')).toEqual([[2n]]);
  });
});

describe('while another process holds the lock', () => {
  let lock: Database;

  beforeEach(() => {
    lock = openDatabase(path);
    lock.exec('BEGIN IMMEDIATE');
  });

  afterEach(() => {
    lock.close();
  });

  it('a create waits and holds up nothing else', async () => {
    let isSettled = false;
    const create = store.create({ id: 1n, name: 'fern' }, 'a').finally(() => (isSettled = true));

    for (let turns = 0; turns < 1000; turns++) await turn();
    expect(isSettled).toBe(false);
    lock.exec('ROLLBACK');

    expect(await create).toBe('created');
  });

  it('creates keep their order', async () => {
    const first = store.create({ id: 1n, name: 'fern' }, 'a');
    await turn();
    await turn();
    const second = store.create({ id: 1n, name: 'oak' }, 'a');
    await turn();
    lock.exec('ROLLBACK');

    expect([await first, await second]).toEqual(['created', 'conflict']);
  });

  it('close lets what waits have its time, and takes nothing new', async () => {
    const create = store.create({ id: 1n, name: 'fern' }, 'a');
    const closed = store.close();
    const late = store.create({ id: 2n, name: 'oak' }, 'a');
    await expect(late).rejects.toThrow(StoreUnavailableError);
    lock.exec('ROLLBACK');

    await closed;

    expect(await create).toBe('created');
    expect(rows('SELECT id FROM plants')).toEqual([[1n]]);
  });

  it('close ends after a while, and what waited is refused', async () => {
    const create = store.create({ id: 1n, name: 'fern' }, 'a');

    const [closed, created] = await Promise.allSettled([store.close(), create]);

    expect(closed.status).toBe('fulfilled');
    expect(created).toMatchObject({ reason: { fault: 'locked' } });
  });
});

describe('a file that is no longer the one that was opened', () => {
  it.each(['', '-wal', '-shm'])(
    '%s is noticed by who asks for it, and by who writes',
    async (suffix) => {
      await store.create({ id: 1n, name: 'fern' }, 'a');

      renameSync(path + suffix, `${path}.elsewhere`);

      await expect(store.checkWritable()).rejects.toMatchObject({ fault: 'replaced' });
      await expect(store.create({ id: 2n, name: 'oak' }, 'a')).rejects.toMatchObject({
        fault: 'replaced',
      });
      renameSync(`${path}.elsewhere`, path + suffix);
      expect(await store.create({ id: 2n, name: 'oak' }, 'a')).toBe('created');
    },
  );

  it('is noticed also where another one is in its place', async () => {
    await store.create({ id: 1n, name: 'fern' }, 'a');

    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);

    await expect(store.checkWritable()).rejects.toMatchObject({ fault: 'replaced' });
  });

  it('is none to which nobody has done anything', async () => {
    for (let id = 0n; id < 3n; id++) {
      await store.create({ id, name: 'fern' }, 'a');
      // As another process does that makes a backup, or looks into the file.
      rows('PRAGMA wal_checkpoint(TRUNCATE)');
      await expect(store.checkWritable()).resolves.toBeUndefined();
    }
  });
});

describe('damage', () => {
  /** Overwrites pages in the middle of the file, which must be in no cache. */
  function damagePlants(): void {
    const fd = openSync(path, 'r+');
    writeSync(fd, Buffer.alloc(1_000_000, 0xa5), 0, 1_000_000, 1_000_000);
    closeSync(fd);
  }

  /** Rows for some megabytes, which is more than a connection keeps in memory. */
  function addPlants(): void {
    rows(`INSERT INTO plants (id, name, created_at, created_by)
      WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 60000)
      SELECT id, 'a plant with a name of some length', '', '' FROM n RETURNING 1`);
    rows('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  it('is found at start, and says what to do', async () => {
    addPlants();
    await store.close();
    damagePlants();

    expect(() => openSqlitePlantStore(path)).toThrow(StoreFileError);
    expect(() => openSqlitePlantStore(path)).toThrow(/damaged.*restore a backup/);
  });

  it('that a create meets fails it, and from then on nothing is written any more', async () => {
    addPlants();
    damagePlants();

    const met = await Promise.allSettled(
      Array.from({ length: 600 }, (_, n) => store.create({ id: BigInt(n * 100), name: 'x' }, 'a')),
    );

    expect(met[0]).toMatchObject({ status: 'rejected', reason: { fault: 'corrupt' } });
    await expect(store.create({ id: -1n, name: 'x' }, 'a')).rejects.toMatchObject({
      fault: 'corrupt',
    });
    await expect(store.checkWritable()).rejects.toMatchObject({ fault: 'corrupt' });
  });
});

describe('the file of a closed store', () => {
  it('has every plant by itself, without its write-ahead log', async () => {
    await store.create({ id: 1n, name: 'fern' }, 'a');
    await store.close();
    const copy = `${createFolder()}/plants.db`;

    copyFileSync(path, copy);

    expect(storedPlants(copy)).toEqual([{ id: 1n, name: 'fern', tag: null }]);
  });
});

describe('checkWritable', () => {
  it('rejects while another process holds the file', async () => {
    const lock = openDatabase(path);
    lock.exec('BEGIN IMMEDIATE');

    await expect(store.checkWritable()).rejects.toThrow(StoreUnavailableError);

    lock.close();
    await expect(store.checkWritable()).resolves.toBeUndefined();
  });
});

describe('the file', () => {
  it('and its folder are private to the user', async () => {
    await store.create({ id: 1n, name: 'fern' }, 'a');

    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777);

    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(path.slice(0, path.lastIndexOf('/'))).mode & 0o777).toBe(0o700);
  });

  it('waits for the disk at every commit', () => {
    // The store's own connection can't be asked, but its journal mode is the file's.
    expect(rows('PRAGMA journal_mode')).toEqual([['wal']]);
  });

  it('that a service with another driver left behind, killed, opens with nothing lost', async () => {
    await store.close();
    path = `${createFolder()}/plants.db`;
    for (const suffix of ['', '-wal']) copyFileSync(LEFT_BEHIND + suffix, path + suffix);

    store = openSqlitePlantStore(path);

    expect(rows('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(storedPlants(path)).toEqual([
      { id: -(2n ** 63n), name: 'first of all', tag: null },
      { id: -(2n ** 53n) - 1n, name: 'n', tag: null },
      { id: 1n, name: 'fern', tag: null },
      { id: 7n, name: 'Ñandubay '.repeat(700), tag: null },
      ...Array.from({ length: 20 }, (_, index) => ({
        id: BigInt(index + 100),
        name: `plant ${index + 100}`,
        tag: 'crowd',
      })),
      { id: 2n ** 53n, name: '白檀', tag: '' },
      { id: 2n ** 53n + 1n, name: 'monkey puzzle', tag: 'araucaria' },
      { id: 2n ** 63n - 1n, name: 'last of all', tag: '🌵' },
    ]);
    expect(await store.create({ id: 2n ** 53n, name: '白檀', tag: '' }, 'a')).toBe('unchanged');
    expect(await store.create({ id: 2n ** 53n + 2n, name: 'yew' }, 'a')).toBe('created');
  });
});
