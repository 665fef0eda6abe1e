import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPostgresSnapshot } from '../../../scripts/plants/postgres-snapshot.js';
import { openPostgresPlantStore } from '../../../src/plants/postgres/postgres-plant-store.js';
import { query } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { createFolder, run, startService } from '../../support/service.js';
import { fillStore, numberedPlants, ODD_PLANTS } from '../../support/stored-plants.js';
import { startCluster, type Cluster } from '../support/cluster.js';
import { postgresUrl } from '../support/url.js';

const ALL = 'SELECT id, name, tag, created_at, created_by FROM plants ORDER BY id';

let cluster: Cluster;
let folder: string;
let file: string;
let database: string;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.remove());
beforeEach(async () => {
  folder = createFolder();
  file = join(folder, 'plants.db');
  database = await cluster.createDatabase();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function move(from: string, to: string) {
  return run('scripts/move.js', ['--from', from, '--to', to]);
}

function exportTo(name: string, url: string) {
  return run('scripts/export.js', [join(folder, name)], { DATABASE_URL: url });
}

describe('move', () => {
  it('copies from SQLite to PostgreSQL and back, with everything that is stored', async () => {
    await fillStore(file, ODD_PLANTS);
    const back = join(folder, 'back.db');

    const there = await move(`sqlite:${file}`, cluster.url(database));
    const andBack = await move(cluster.url(database), `sqlite:${back}`);

    expect([there, andBack]).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    expect(there.stdout).toContain('both stores have the same 12 plants:\n');
    expect(await cluster.query(database, ALL)).toEqual(query(file, ALL));
    expect(query(back, ALL)).toEqual(query(file, ALL));
  });

  it('copies while the service creates, and what came since when it is run again', async () => {
    await fillStore(file, numberedPlants(20_000, 1_000_000));
    const service = await startService({}, folder);
    const load = { isOver: false };
    const creating = (async () => {
      let id = 0n;
      for (; !load.isOver; id++) {
        await service.api.createPlant({ body: { id, name: `new ${id}` } });
      }
      return Number(id);
    })();

    await move(`sqlite:${file}`, cluster.url(database));
    load.isOver = true;
    const created = await creating;
    await service.kill();
    const second = await move(`sqlite:${file}`, cluster.url(database));

    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(created).toBeGreaterThan(0);
    expect(await cluster.query(database, ALL)).toEqual(query(file, ALL));
    expect(query(file, ALL)).toHaveLength(20_000 + created);
  });

  it('goes on where a killed server has interrupted it', async () => {
    await fillStore(file, numberedPlants(50_000));
    const moving = move(`sqlite:${file}`, cluster.url(database));
    await eventually(async () => {
      const copied = await cluster.plants(database).catch(() => []);
      return copied.length > 0 ? true : undefined;
    });
    await cluster.kill();

    const first = await moving;
    await cluster.start();
    const second = await move(`sqlite:${file}`, cluster.url(database));

    expect(first.code).toBe(2);
    expect(first.stderr).toMatch(/^the store plants_\d+ can't be used: .*\n$/);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).not.toContain('50,000 of them copied');
    expect(await cluster.query(database, ALL)).toEqual(query(file, ALL));
  });

  it('says in a line, without the password, that the server refuses', async () => {
    await fillStore(file, []);
    const url = cluster.url('nowhere').replace('postgres@', 'postgres:secret-word@');

    const { code, stdout, stderr } = await move(`sqlite:${file}`, url);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^the store nowhere can't be used: .*"nowhere" does not exist\n$/);
    expect(stderr).not.toContain('secret-word');
  });

  it.each(['postgres://me:secret-word@h/d?sslmode=maybe', 'postgres://me:secret-word@'])(
    'refuses the URL %s without quoting it',
    async (url) => {
      const { code, stderr } = await move(`sqlite:${file}`, url);

      expect(code).toBe(2);
      expect(stderr).toMatch(/^--to must (have|be) /);
      expect(stderr).not.toContain('secret-word');
    },
  );
});

describe('export', () => {
  it.each(['plants.ndjson', 'plants.csv'])(
    'writes the same %s from either engine',
    async (name) => {
      await fillStore(file, [...ODD_PLANTS, ...numberedPlants(3000, 1000)]);
      await move(`sqlite:${file}`, cluster.url(database));

      const ofSqlite = await exportTo(`sqlite-${name}`, `sqlite:${file}`);
      const ofPostgres = await exportTo(`postgres-${name}`, cluster.url(database));

      expect([ofSqlite.code, ofPostgres.code]).toEqual([0, 0]);
      expect(readFileSync(join(folder, `postgres-${name}`))).toEqual(
        readFileSync(join(folder, `sqlite-${name}`)),
      );
    },
  );

  it('exits with 2 and a line where no service has kept plants', async () => {
    const { code, stderr } = await exportTo('a.csv', cluster.url(database));

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `the store ${database} can't be used: no service has ever kept plants in it\n`,
    });
  });
});

describe('a snapshot of a PostgreSQL database', () => {
  it('is of one moment, keeps nobody from creating, and has pages of a bounded size', async () => {
    const url = postgresUrl(cluster.url(database));
    const store = await openPostgresPlantStore(url);
    const name = 'x'.repeat(300_000);
    for (let id = 0n; id < 20n; id++) await store.create({ id, name }, 'test');
    const snapshot = await openPostgresSnapshot(url);
    const sizes: number[] = [];

    for await (const page of snapshot.pages()) {
      sizes.push(page.length);
      expect(await store.create({ id: 100n + BigInt(sizes.length), name }, 'test')).toBe('created');
    }
    const found = [await snapshot.find(19n), await snapshot.find(101n)];
    await snapshot.close();
    await store.close();

    expect(sizes).toEqual([4, 4, 4, 4, 4]);
    expect(snapshot.count).toBe(20);
    expect(found).toMatchObject([{ id: 19n, name }, undefined]);
    expect(await cluster.plants(database)).toHaveLength(25);
  });
});
