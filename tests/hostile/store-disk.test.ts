import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { storedPlants } from '../support/database.js';
import { createFolder, run, serviceEnv, startService, type Service } from '../support/service.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';

let disk: SmallDisk;
let service: Service | undefined;

beforeEach(() => {
  disk = mountSmallDisk();
});

afterEach(async () => {
  await service?.kill();
  service = undefined;
  disk.unmount();
});

function env(): Record<string, string> {
  return { DATABASE_URL: `sqlite:${join(disk.folder, 'plants.db')}` };
}

/** Creates plants of four kilobytes from this id on, until one isn't stored; how many were. */
async function createUntilRefused(service: Service, from: bigint): Promise<bigint> {
  for (let id = from; ; id++) {
    const body = { id, name: 'a'.repeat(4000) };
    const response = await service.api.createPlant({ body });
    if (response.status === 200) continue;
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ error: 50302 });
    return id - from;
  }
}

describe('a store on a full disk', () => {
  it('refuses with 503, is not ready, and goes on once there is room; nothing answered is lost', async () => {
    service = await startService(env());
    const { api } = service;
    disk.fill();

    const stored = await createUntilRefused(service, 1n);

    expect((await api.request.get('/readyz')).status).toBe(503);
    expect(await service.logged({ msg: 'not ready' })).toMatchObject({ err: { fault: 'full' } });
    expect((await api.request.get('/healthz')).status).toBe(200);
    disk.clear();
    await eventually(async () =>
      (await api.request.get('/readyz')).status === 200 ? true : undefined,
    );
    await service.logged({ msg: 'ready again' });
    expect((await api.createPlant({ body: { id: 0n, name: 'fern' } })).status).toBe(200);
    await service.kill();
    expect(storedPlants(join(disk.folder, 'plants.db')).map(({ id }) => id)).toEqual(
      Array.from({ length: Number(stored) + 1 }, (_, id) => BigInt(id)),
    );
  });
});

describe('a store on a disk that is mounted read-only', () => {
  it('ends the start with 1, and says so', async () => {
    service = await startService(env());
    await service.kill();
    disk.remount('ro');

    const { code, stderr } = await run('src/main.js', [], {
      ...serviceEnv(createFolder()),
      ...env(),
    });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^EROFS: read-only file system, open '.*plants\.db'\n$/);
  });
});
