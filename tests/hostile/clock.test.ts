import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createToken, revokeToken } from '../../src/auth/token-file.js';
import { eventually } from '../support/eventually.js';
import { connect, rawCreate } from '../support/raw-http.js';
import { createFolder, startService, type Service } from '../support/service.js';
import { describeWith } from './tool.js';

/** Of Debian's package libfaketime. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

let service: Service;
let clock: string;

beforeEach(async () => {
  const folder = createFolder();
  clock = join(folder, 'clock');
  setClock('+0');
  service = await startService(
    {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      // Nobody can set that one.
      DONT_FAKE_MONOTONIC: '1',
      REQUEST_TIMEOUT_MS: '5000',
    },
    folder,
  );
});

afterEach(() => service.kill());

/** Sets the service's clock this far off, in seconds. */
function setClock(offset: string): void {
  writeFileSync(clock, offset);
}

async function create(id: bigint, token = service.token): Promise<number> {
  const request = { body: { id, name: 'fern' }, headers: { Authorization: `Bearer ${token}` } };
  return (await service.api.createPlant(request)).status;
}

describeWith(LIBRARY)('a clock that jumps', () => {
  it.each(['+86400', '-86400'])('by %s seconds times out nobody', async (offset) => {
    const body = '{"id":1,"name":"fern"}';
    const connection = await connect(service.url);
    connection.send(rawCreate(service.token, body).slice(0, -10));

    setClock(offset);
    expect(await create(2n)).toBe(200);
    expect((await service.api.request.get('/readyz')).status).toBe(200);
    connection.send(body.slice(-10));

    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  });

  it('expires tokens when it says so, and not before', async () => {
    const token = createToken(join(service.folder, 'tokens'), 'hour', new Date(Date.now() + 3.6e6));

    expect(await create(1n, token)).toBe(200);
    setClock('+3700');
    expect(await create(2n, token)).toBe(401);
    setClock('+3000');
    expect(await create(3n, token)).toBe(200);
  });

  it('back keeps no revoked token', async () => {
    const tokens = join(service.folder, 'tokens');
    const token = createToken(tokens, 'ci', null);
    expect(await create(1n, token)).toBe(200);

    setClock('-86400');
    revokeToken(tokens, 'ci');

    await eventually(async () => ((await create(2n, token)) === 401 ? true : undefined), 3000);
  });
});
