import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqliteSnapshot } from '../../../scripts/plants/sqlite-snapshot.js';
import type { StoredPlant } from '../../../scripts/plants/stored-plant.js';
import { openSqlitePlantStore } from '../../../src/plants/sqlite-plant-store.js';
import { query } from '../../support/database.js';
import { createFolder } from '../../support/service.js';
import { fillStore, numberedPlants, ODD_PLANTS } from '../../support/stored-plants.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = createFolder();
  path = join(folder, 'plants.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a snapshot of a SQLite file', () => {
  it('has every plant as it is, by the ids', async () => {
    await fillStore(path, ODD_PLANTS.toReversed());

    const snapshot = openSqliteSnapshot(path);
    const plants = [...(snapshot.pages() as Iterable<readonly StoredPlant[]>)].flat();
    await snapshot.close();

    expect(plants).toEqual(ODD_PLANTS);
  });

  it('is of one moment, and keeps nobody from creating', async () => {
    await fillStore(path, numberedPlants(2500));
    const store = openSqlitePlantStore(path);
    const snapshot = openSqliteSnapshot(path);
    const ids: bigint[] = [];

    for await (const page of snapshot.pages()) {
      ids.push(...page.map(({ id }) => id));
      const created = await store.create({ id: 10_000n + BigInt(ids.length), name: 'new' }, 'test');
      expect(created).toBe('created');
    }
    await snapshot.close();
    await store.close();

    expect(ids).toEqual(Array.from({ length: 2500 }, (_, index) => BigInt(index)));
    expect(query(path, 'SELECT COUNT(*) AS count FROM plants')).toEqual([{ count: 2503n }]);
  });

  it('refuses a value of a wrong kind, which another program has put there', async () => {
    await fillStore(path, []);
    query(path, `INSERT INTO plants VALUES (7, x'00', NULL, '', '')`);
    const snapshot = openSqliteSnapshot(path);

    expect(() => [...(snapshot.pages() as Iterable<unknown>)]).toThrow(
      `the store ${path} can't be read: the plant with the id 7 has a value of a wrong kind`,
    );
    await snapshot.close();
  });
});
