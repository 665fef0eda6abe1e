import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { connect, rawRequest, type RawConnection } from '../support/raw-http.js';
import { createFolder, serviceEnv } from '../support/service.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';

let disk: SmallDisk;
let service: ChildProcess;
let connection: RawConnection;

beforeEach(async () => {
  disk = mountSmallDisk();
  const log = openSync(join(disk.folder, 'log'), 'a');
  service = spawn(process.execPath, ['dist/src/main.js'], {
    env: { PATH: process.env.PATH, ...serviceEnv(createFolder()) },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const { url } = await eventually(() => lines().find(({ msg }) => msg === 'listening'));
  connection = await connect(String(url), { check: undefined });
});

afterEach(async () => {
  connection.destroy();
  if (service.exitCode === null && service.kill('SIGKILL')) await once(service, 'exit');
  disk.unmount();
});

/** The whole lines of the log so far. */
function lines(): Record<string, unknown>[] {
  const [, ...whole] = readFileSync(join(disk.folder, 'log'), 'utf8').split('\n').reverse();
  return whole.reverse().map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Sends requests one after the other, each of which makes a line of the log. */
async function makeLines(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    connection.send(rawRequest('POST /plants HTTP/1.1', {}));
    expect((await connection.response()).status).toBe(401);
  }
}

describe('a log on a full disk', () => {
  it('holds up nobody; the lines that are missing are counted, and that is said once there is room', async () => {
    disk.fill();
    await makeLines(6000);
    disk.clear();

    const { dropped } = await eventually(() => lines().find(({ level }) => level === 40));

    expect(dropped).toBeGreaterThan(1000);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
    expect(lines().at(-1)).toMatchObject({ msg: 'stopped' });
    expect(lines().filter(({ msg }) => msg === 'request').length).toBe(6000 - Number(dropped));
  });

  it('does not keep the service from stopping', async () => {
    disk.fill();
    await makeLines(1000);

    service.kill('SIGTERM');

    expect(await once(service, 'exit')).toEqual([0, null]);
  });
});
