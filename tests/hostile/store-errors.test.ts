import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { query, storedPlants } from '../support/database.js';
import { startService, type Service } from '../support/service.js';
import { describeWith } from './tool.js';

let service: Service;

afterEach(() => service.kill());

/**
 * Has system calls of a running process fail, as `strace -e inject=` says; resolves with what ends that.
 * Of these calls SQLite alone makes use: node writes to sockets and to the log by others.
 */
async function inject(pid: number, rule: string): Promise<() => Promise<void>> {
  const calls = rule.split(':')[0] ?? '';
  const strace = spawn(
    'strace',
    ['--follow-forks', `--attach=${pid}`, '--trace', calls, '--inject', rule, '--output=/dev/null'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(strace, 'exit');
  await once(strace.stderr, 'data');
  return async () => {
    strace.kill('SIGINT');
    await exited;
  };
}

describeWith('strace')('a disk that fails', () => {
  it.each([
    ['to sync', 'fdatasync,fsync:error=EIO'],
    ['to write', 'pwrite64:error=EIO'],
    ['since it was remounted read-only', 'pwrite64,ftruncate:error=EROFS'],
  ])(
    '%s makes creates 503 and the service not ready; it goes on when it works again, with all that was answered',
    async (_how, rule) => {
      service = await startService();
      const { api, folder } = service;
      const create = async (id: bigint): Promise<number> =>
        (await api.createPlant({ body: { id, name: `plant ${id}` } })).status;
      expect(await create(1n)).toBe(200);

      const mend = await inject(service.process.pid ?? 0, rule);
      const broken = [await create(2n), await create(3n)];
      const ready = (await api.request.get('/readyz')).status;
      const alive = (await api.request.get('/healthz')).status;
      await mend();
      const mended = [await create(3n), await create(4n)];

      expect({ broken, ready, alive, mended }).toEqual({
        broken: [503, 503],
        ready: 503,
        alive: 200,
        mended: [200, 200],
      });
      await eventually(async () =>
        (await api.request.get('/readyz')).status === 200 ? true : undefined,
      );
      await service.kill();
      const path = join(folder, 'plants.db');
      expect(storedPlants(path).map(({ id }) => id)).toEqual([1n, 3n, 4n]);
      expect(query(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    },
  );
});
