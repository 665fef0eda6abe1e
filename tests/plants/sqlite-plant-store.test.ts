import { copyFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  StoreBusyError,
  StoreUnavailableError,
  type PlantStore,
} from '../../src/plants/plant-store.js';
import { openDatabase } from '../../src/plants/sqlite-driver.js';
import { openSqlitePlantStore } from '../../src/plants/sqlite-plant-store.js';
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
  it('tells a new plant, the same one again, and another one of that id apart', async () => {
    const fern = { id: 1n, name: 'fern', tag: 'herb' };

    expect(await store.create(fern, 'a')).toBe('created');
    expect(await store.create(fern, 'b')).toBe('unchanged');
    expect(await store.create({ ...fern, tag: 'tree' }, 'a')).toBe('conflict');
    expect(rows('SELECT id, name, tag, created_by FROM plants')).toEqual([
      [1n, 'fern', 'herb', 'a'],
    ]);
  });

  it('tells no tag from an empty one', async () => {
    await store.create({ id: 1n, name: 'fern' }, 'a');

    expect(await store.create({ id: 1n, name: 'fern', tag: '' }, 'a')).toBe('conflict');
  });

  it('answers each create of one group by itself', async () => {
    const results = await Promise.all([
      store.create({ id: 1n, name: 'fern' }, 'a'),
      store.create({ id: 1n, name: 'oak' }, 'a'),
      store.create({ id: 1n, name: 'fern' }, 'a'),
      store.create({ id: 2n, name: 'oak' }, 'a'),
    ]);

    expect(results).toEqual(['created', 'conflict', 'unchanged', 'created']);
  });

  it('has committed what it says it has', async () => {
    const creates = Array.from({ length: 500 }, (_, n) =>
      store.create({ id: BigInt(n), name: 'x' }, 'a'),
    );

    await Promise.all(creates);

    expect(rows('SELECT COUNT(*) FROM plants')).toEqual([[500n]]);
  });

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

  it('refuses a create beyond ten thousand that wait', async () => {
    const waiting = Array.from({ length: 10_000 }, (_, n) =>
      store.create({ id: BigInt(n), name: 'x' }, 'a'),
    );

    await expect(store.create({ id: -1n, name: 'x' }, 'a')).rejects.toThrow(StoreBusyError);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['created']));
  });

  it('refuses once closed', async () => {
    await store.close();

    await expect(store.create({ id: 1n, name: 'x' }, 'a')).rejects.toThrow(StoreUnavailableError);
  });
});

describe('close', () => {
  it('finishes what is waiting', async () => {
    const create = store.create({ id: 1n, name: 'fern' }, 'a');

    await store.close();

    expect(await create).toBe('created');
    expect(rows('SELECT id FROM plants')).toEqual([[1n]]);
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
  it('resolves while the store can be written', async () => {
    await expect(store.checkWritable()).resolves.toBeUndefined();
  });

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

  it('is migrated once, and keeps its plants when opened again', async () => {
    await store.create({ id: 1n, name: 'fern' }, 'a');
    await store.close();

    store = openSqlitePlantStore(path);

    expect(await store.create({ id: 1n, name: 'fern' }, 'a')).toBe('unchanged');
    expect(rows('SELECT version FROM schema_migrations ORDER BY version')).toEqual([[1n], [2n]]);
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

  it('of a newer service is refused and left alone', async () => {
    await store.close();
    rows("INSERT INTO schema_migrations (version, applied_at) VALUES (99, 'later') RETURNING 1");

    expect(() => openSqlitePlantStore(path)).toThrow(/schema version 99.*run the newer service/);
  });
});
