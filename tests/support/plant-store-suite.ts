import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  StoreBusyError,
  StoreUnavailableError,
  type PlantStore,
} from '../../src/plants/plant-store.js';
import type { StoredPlant } from './database.js';

/** A store on empty data of its own. */
export interface StoreUnderTest {
  open(): PlantStore | Promise<PlantStore>;
  /** All its plants, by their ids, as the engine's own tools see them. */
  plants(): StoredPlant[] | Promise<StoredPlant[]>;
  /** The values of a statement's rows. */
  query(sql: string): unknown[][] | Promise<unknown[][]>;
  /** Removes what it has made, once the store is closed. */
  remove(): void | Promise<void>;
}

/** What every store does, whichever engine keeps the plants. */
export function describeStores(
  stores: Readonly<Record<string, () => StoreUnderTest | Promise<StoreUnderTest>>>,
): void {
  describe.each(Object.entries(stores))('%s', (_name, createStore) => {
    let data: StoreUnderTest;
    let store: PlantStore;

    beforeEach(async () => {
      data = await createStore();
      store = await data.open();
    });

    afterEach(async () => {
      await store.close();
      await data.remove();
    });

    it('tells a new plant, the same one again, and another one of that id apart', async () => {
      const fern = { id: 1n, name: 'fern', tag: 'herb' };

      expect(await store.create(fern, 'a')).toBe('created');
      expect(await store.create(fern, 'b')).toBe('unchanged');
      expect(await store.create({ ...fern, tag: 'tree' }, 'a')).toBe('conflict');
      expect(await store.create({ ...fern, name: 'oak' }, 'a')).toBe('conflict');
      expect(await data.query('SELECT name, tag, created_by FROM plants')).toEqual([
        ['fern', 'herb', 'a'],
      ]);
    });

    it('tells no tag from an empty one', async () => {
      await store.create({ id: 1n, name: 'fern' }, 'a');

      expect(await store.create({ id: 1n, name: 'fern', tag: '' }, 'a')).toBe('conflict');
      expect(await store.create({ id: 1n, name: 'fern' }, 'a')).toBe('unchanged');
    });

    it('keeps ids and texts exactly', async () => {
      const plants = [
        { id: -(2n ** 63n), name: 'first of all', tag: null },
        { id: -(2n ** 53n) - 1n, name: '', tag: '' },
        { id: 0n, name: 'NULL', tag: '{"a","b"}' },
        { id: 2n ** 53n, name: 'monkey puzzle', tag: 'it\'s \\ "quoted", {all} of \n\t\r it' },
        { id: 2n ** 53n + 1n, name: '白檀', tag: '🌵 e\u0301 é \u{10FFFF} \uFEFF' },
        { id: 2n ** 63n - 1n, name: 'Ñandubay '.repeat(20_000), tag: '\u0001\u007f\u0085\u2028' },
      ];

      const created = await Promise.all(
        plants.map(({ tag, ...plant }) =>
          store.create(tag === null ? plant : { ...plant, tag }, 'a'),
        ),
      );

      expect(new Set(created)).toEqual(new Set(['created']));
      expect(await data.plants()).toEqual(plants);
    });

    it('fails no neighbour of a plant with U+0000, which the contract refuses', async () => {
      const settled = await Promise.allSettled([
        store.create({ id: 1n, name: 'fern' }, 'a'),
        store.create({ id: 2n, name: 'a\u0000b' }, 'a'),
        store.create({ id: 3n, name: 'oak' }, 'a'),
      ]);

      expect([settled[0], settled[2]]).toEqual([
        { status: 'fulfilled', value: 'created' },
        { status: 'fulfilled', value: 'created' },
      ]);
      expect((await data.plants()).filter(({ id }) => id !== 2n)).toEqual([
        { id: 1n, name: 'fern', tag: null },
        { id: 3n, name: 'oak', tag: null },
      ]);
    });

    it('answers each create of one group by itself, the first of an id first', async () => {
      const results = await Promise.all([
        store.create({ id: 2n, name: 'fern' }, 'a'),
        store.create({ id: 2n, name: 'oak' }, 'a'),
        store.create({ id: 2n, name: 'fern' }, 'a'),
        store.create({ id: 1n, name: 'oak' }, 'a'),
      ]);

      expect(results).toEqual(['created', 'conflict', 'unchanged', 'created']);
    });

    it('compares those of a group with what is stored, not with the first of them', async () => {
      await store.create({ id: 1n, name: 'fern' }, 'a');

      const results = await Promise.all([
        store.create({ id: 1n, name: 'oak' }, 'a'),
        store.create({ id: 1n, name: 'fern' }, 'a'),
        store.create({ id: 1n, name: 'oak' }, 'a'),
      ]);

      expect(results).toEqual(['conflict', 'unchanged', 'conflict']);
    });

    it('lets exactly one of several contents win where groups overlap', async () => {
      const names = Array.from({ length: 40 }, (_, n) => `plant ${n % 8}`);

      const results = await Promise.all(
        names.map(async (name, n) => {
          // Other creates in between, so that they meet in several groups.
          const result = await store.create({ id: 1n, name }, 'a');
          await store.create({ id: BigInt(n + 10), name }, 'a');
          return { name, result };
        }),
      );

      const [winner] = await data.plants();
      expect(results.filter(({ result }) => result === 'created')).toHaveLength(1);
      expect(
        results.every(({ name, result }) => (result === 'conflict') === (name !== winner?.name)),
      ).toBe(true);
    });

    it('has stored what it says it has, each once', async () => {
      const creates = Array.from({ length: 2500 }, (_, n) =>
        store.create({ id: BigInt(n), name: 'x' }, 'a'),
      );

      await Promise.all(creates);

      expect(await data.query('SELECT COUNT(*) FROM plants')).toEqual([[2500n]]);
    });

    it('refuses a create beyond ten thousand that wait', async () => {
      const waiting = Array.from({ length: 10_000 }, (_, n) =>
        store.create({ id: BigInt(n), name: 'x' }, 'a'),
      );

      await expect(store.create({ id: -1n, name: 'x' }, 'a')).rejects.toThrow(StoreBusyError);
      expect(new Set(await Promise.all(waiting))).toEqual(new Set(['created']));
    });

    it('says that it can be written', async () => {
      await expect(store.checkWritable()).resolves.toBeUndefined();
      await expect(store.checkWritable()).resolves.toBeUndefined();
    });

    it('finishes what is waiting before it closes, and refuses what comes then', async () => {
      const create = store.create({ id: 1n, name: 'fern' }, 'a');

      await store.close();

      expect(await create).toBe('created');
      await expect(store.create({ id: 2n, name: 'x' }, 'a')).rejects.toThrow(StoreUnavailableError);
      expect(await data.plants()).toEqual([{ id: 1n, name: 'fern', tag: null }]);
    });

    it('keeps its plants when opened again, and is migrated once', async () => {
      await store.create({ id: 1n, name: 'fern' }, 'a');
      await store.close();

      store = await data.open();

      expect(await store.create({ id: 1n, name: 'fern' }, 'a')).toBe('unchanged');
      expect(await data.query('SELECT version FROM schema_migrations ORDER BY version')).toEqual([
        [1n],
        [2n],
      ]);
    });

    it('refuses data that a newer service has written', async () => {
      await store.close();
      await data.query(
        "INSERT INTO schema_migrations (version, applied_at) VALUES (99, 'later') RETURNING 1",
      );

      await expect(async () => data.open()).rejects.toThrow(
        /schema version 99.*run the newer service/,
      );
    });
  });
}
