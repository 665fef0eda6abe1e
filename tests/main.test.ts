import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { storedPlants } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect-error.js';
import {
  connect,
  exchange,
  rawCreate,
  rawRequest,
  type RawConnection,
} from './support/raw-http.js';
import { createFolder, run, serviceEnv, startService, type Service } from './support/service.js';

const FERN = '{"id":1,"name":"fern"}';

/** For the tests that neither stop the service nor configure it; starting one takes most of a second. */
let running: Service;

let cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  running = await startService();
});

afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  cleanUps = [];
});

afterAll(() => running.kill());

/** A folder that is removed after the test. */
function newFolder(): string {
  const folder = createFolder();
  cleanUps.push(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function start(
  env: Record<string, string> = {},
  folder = newFolder(),
  cwd?: string,
): Promise<Service> {
  const service = await startService(env, folder, cwd);
  cleanUps.push(() => service.kill());
  return service;
}

async function open(url: string): Promise<RawConnection> {
  const connection = await connect(url);
  cleanUps.push(() => {
    connection.destroy();
  });
  return connection;
}

function create({ api, token }: Service, body = FERN, headers = {}): Test {
  return api.request
    .post('/plants')
    .set('Authorization', `Bearer ${token}`)
    .set('Content-Type', 'application/json')
    .set(headers)
    .serialize(String)
    .send(body);
}

function storedIds(folder: string): bigint[] {
  return storedPlants(join(folder, 'plants.db')).map(({ id }) => id);
}

describe('start', () => {
  it('exits with 2 and one report of every mistake in the environment, and touches nothing', async () => {
    const folder = newFolder();

    const { code, stdout, stderr } = await run('src/main.js', [], {
      ...serviceEnv(folder),
      HOST: 'not a host',
      PORT: '65536',
      BASE_PATH: '/v1/',
      DATABASE_URL: 'mysql://localhost/plants',
      MAX_BODY_BYTES: '1 MiB',
      REQUEST_TIMEOUT_MS: '99',
      SHUTDOWN_TIMEOUT_MS: '-1',
      TRUST_PROXY: 'everybody',
      LOG_LEVEL: 'loud',
      OIDC_ISSUER: 'http://login.example.com',
    });

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toEqual([
      'HOST must be a host name or an address; it is "not a host"',
      'PORT must be a whole number from 0 to 65535; it is "65536"',
      'BASE_PATH must be empty, or a path such as /v1 without a slash at its end; it is "/v1/"',
      'MAX_BODY_BYTES must be a whole number from 1 to 268435456; it is "1 MiB"',
      'REQUEST_TIMEOUT_MS must be a whole number from 100 to 3600000; it is "99"',
      'SHUTDOWN_TIMEOUT_MS must be a whole number from 0 to 3600000; it is "-1"',
      'TRUST_PROXY must be empty, a number of hops, or addresses such as loopback,10.0.0.0/8; it is "everybody"',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; it is "loud"',
      'DATABASE_URL must be sqlite: and the path of a file, such as sqlite:data/plants.db, or postgres://user@host:5432/database; it is "mysql://localhost/plants"',
      'OIDC_ISSUER must be an https URL; http is for providers on this machine alone',
      'OIDC_AUDIENCE must be set where OIDC_ISSUER is: a JWT may be for another service',
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says where it listens, on a port that the system picked', async () => {
    expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(await running.logged({ msg: 'listening' })).toMatchObject({ url: running.url });
    expect((await create(running)).status).toBe(200);
  });

  it('exits with 1 and names the address where another process has the port', async () => {
    const { port } = new URL(running.url);

    const { code, stdout, stderr } = await run('src/main.js', [], {
      ...serviceEnv(newFolder()),
      PORT: port,
    });

    expect(code).toBe(1);
    expect(stderr).toContain(`address already in use 127.0.0.1:${port}`);
    expect(stdout).not.toContain('listening');
  });

  it('exits with 1 where the file of the store is no database', async () => {
    const folder = newFolder();
    writeFileSync(
      join(folder, 'plants.db'),
      'a shopping list, and a long one at that\n'.repeat(50),
    );

    const { code, stdout, stderr } = await run('src/main.js', [], serviceEnv(folder));

    expect(code).toBe(1);
    expect(stderr).toMatch(/^the store .*plants\.db can't be used: .* restore a backup \(.*\)\n$/);
    expect(stderr).toContain('file is not a database');
    expect(stdout).not.toContain('listening');
  });

  it('exits with 2 where the tokens file can not be understood, rather than refuse everybody', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'tokens'), 'no entry\n');

    const { code, stdout, stderr } = await run('src/main.js', [], serviceEnv(folder));

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^the tokens file can't be used: .*tokens, line 1: is not an entry .*\n$/,
    );
    expect(stdout).not.toContain('listening');
  });

  it('makes a first token and the store the first time, private to the user', async () => {
    const folder = join(newFolder(), 'new', 'data');

    const service = await start({}, folder);

    expect(await service.logged({ file: join(folder, 'first-token') })).toMatchObject({
      msg: 'made a first token, which is in this file',
    });
    expect(service.token).toMatch(/^plants_[\w-]{43}$/);
    expect((await create(service)).status).toBe(200);
    const modes = [
      dirname(folder),
      folder,
      ...readdirSync(folder).map((name) => join(folder, name)),
    ]
      .map(
        (path) =>
          `${path.slice(dirname(folder).length)} ${(statSync(path).mode & 0o777).toString(8)}`,
      )
      .sort();
    expect(modes).toEqual([
      ' 700',
      '/data 700',
      '/data/first-token 600',
      '/data/plants.db 600',
      '/data/plants.db-shm 600',
      '/data/plants.db-wal 600',
      '/data/tokens 600',
    ]);
  });

  it('makes no token the second time', async () => {
    const first = await start();
    const files = ['tokens', 'first-token'].map((name) => join(first.folder, name));
    const before = files.map((file) => readFileSync(file, 'utf8'));
    await first.kill();

    const second = await start({}, first.folder);

    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before);
    expect(second.log.map(({ msg }) => msg)).toEqual(['listening']);
    expect((await create(second)).status).toBe(200);
  });

  it('mounts the API, and only the API, below BASE_PATH, case-sensitively', async () => {
    const { url, token } = await start({ BASE_PATH: '/v1' });
    const statusOf = async (requestLine: string): Promise<number> => {
      const bytes = rawCreate(token, FERN).replace('POST /plants', requestLine);
      return (await exchange(url, bytes)).status;
    };

    expect(url).toMatch(/\/v1$/);
    expect(await statusOf('POST /v1/plants')).toBe(200);
    expect(await statusOf('POST /plants')).toBe(404);
    expect(await statusOf('POST /V1/plants')).toBe(404);
    expect(await statusOf('POST /v1/v1/plants')).toBe(404);
    expect(await statusOf('POST /v1plants')).toBe(404);
    expect(await statusOf('POST /v1')).toBe(404);
    expect(await statusOf('GET /v1/plants')).toBe(405);
    expect(await statusOf('GET /healthz')).toBe(200);
    expect(await statusOf('GET /readyz')).toBe(200);
    expect(await statusOf('GET /v1/healthz')).toBe(404);
  });

  it('reads .env in the working folder, over which the environment wins', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, '.env'), 'BASE_PATH=/from-file\nHOST=nowhere.invalid\n');

    const service = await start({ HOST: '127.0.0.1' }, join(cwd, 'data'), cwd);

    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/from-file$/);
  });
});

it('stores all of a body that has arrived in several chunks before it is read', async () => {
  const service = await start();
  const tag = 'x'.repeat(200_000);

  const { status } = await exchange(
    service.url,
    rawCreate(service.token, `{"id":1,"name":"fern","tag":"${tag}"}`),
  );

  expect(status).toBe(200);
  expect(storedPlants(`${service.folder}/plants.db`)).toEqual([{ id: 1n, name: 'fern', tag }]);
});

describe('stop', () => {
  /** A create that the service is reading, and what is left of it to send. */
  async function createHalf(service: Service): Promise<[RawConnection, string]> {
    const connection = await open(service.url);
    const headers = { Expect: '100-continue', 'Content-Length': String(FERN.length) };
    connection.send(rawCreate(service.token, '', headers));
    expect((await connection.response()).status).toBe(100);
    connection.send(FERN.slice(0, 10));
    return [connection, FERN.slice(10)];
  }

  async function isRefusing({ url }: Service): Promise<true> {
    return eventually(async () => {
      try {
        (await connect(url)).destroy();
        return undefined;
      } catch (error) {
        // Reset, where it was waiting to be accepted when the service stopped listening.
        expect(['ECONNREFUSED', 'ECONNRESET']).toContain((error as NodeJS.ErrnoException).code);
        return true;
      }
    });
  }

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s answers and stores what is in flight, closes what is idle, takes nothing new and exits with 0',
    async (signal) => {
      const service = await start();
      const idle = await open(service.url);
      idle.send(rawRequest('GET /healthz HTTP/1.1', {}));
      expect((await idle.response()).status).toBe(200);
      const [inFlight, rest] = await createHalf(service);

      service.process.kill(signal);

      expect(await isRefusing(service)).toBe(true);
      expect(await idle.closed()).toBeUndefined();
      inFlight.send(rest);
      expect(await inFlight.response()).toMatchObject({ status: 200, text: '{"name":"fern"}' });
      expect(await inFlight.closed()).toBeUndefined();
      expect(await service.exited).toBe(0);
      expect(storedIds(service.folder)).toEqual([1n]);
      expect(service.log.map(({ msg }) => msg).slice(-3)).toEqual([
        'stopping',
        'request',
        'stopped',
      ]);
    },
  );

  it('exits with 0 where nothing is going on', async () => {
    const service = await start();

    service.process.kill('SIGTERM');

    expect(await service.exited).toBe(0);
  });

  it('answers a request that still comes, on a connection that was busy, with 503', async () => {
    const service = await start();
    const [connection, rest] = await createHalf(service);
    service.process.kill('SIGTERM');
    await service.logged({ msg: 'stopping' });

    connection.send(rest + rawCreate(service.token, '{"id":2,"name":"oak"}'));

    expect((await connection.response()).status).toBe(200);
    const refused = await connection.response();
    expectError(refused, 50301);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    expect(await connection.closed()).toBeUndefined();
    expect(await service.exited).toBe(0);
    expect(storedIds(service.folder)).toEqual([1n]);
  });

  it('is not ready while it stops', async () => {
    const service = await start();
    const [connection, rest] = await createHalf(service);
    service.process.kill('SIGTERM');
    await service.logged({ msg: 'stopping' });

    connection.send(rest + rawRequest('GET /readyz HTTP/1.1', {}));

    expect((await connection.response()).status).toBe(200);
    expect((await connection.response()).status).toBe(503);
  });

  it('does not wait for a client that has connected and never said anything', async () => {
    const service = await start();
    const silent = await open(service.url);

    service.process.kill('SIGTERM');

    await silent.closed();
    expect(await service.exited).toBe(0);
  });

  it('exits with 1, and says so, where a request is unanswered after SHUTDOWN_TIMEOUT_MS', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_MS: '100' });
    await createHalf(service);

    service.process.kill('SIGTERM');

    expect(await service.exited).toBe(1);
    expect(service.log.at(-1)).toMatchObject({
      level: 50,
      msg: expect.stringContaining('SHUTDOWN_TIMEOUT_MS'),
    });
    expect(storedIds(service.folder)).toEqual([]);
  });

  it('goes on serving for SHUTDOWN_DELAY_MS, not ready, and ends each connection with its answer', async () => {
    const service = await start({ SHUTDOWN_DELAY_MS: '3600000' });
    const connection = await open(service.url);
    service.process.kill('SIGTERM');
    await service.logged({ msg: 'stopping' });

    connection.send(rawCreate(service.token, FERN));
    const { status, headers } = await connection.response();
    await connection.closed();
    const ready = await open(service.url);
    ready.send(rawRequest('GET /readyz HTTP/1.1', {}));

    expect({ status, connection: headers.connection }).toEqual({
      status: 200,
      connection: 'close',
    });
    expect((await ready.response()).status).toBe(503);
    expect(storedIds(service.folder)).toEqual([1n]);
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(1);
  });

  it('exits at once, with 1, on a second signal', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_MS: '3600000' });
    await createHalf(service);
    service.process.kill('SIGTERM');
    await service.logged({ msg: 'stopping' });

    service.process.kill('SIGINT');

    expect(await service.exited).toBe(1);
  });

  describe('where nobody reads its log', () => {
    /** Stops reading, and has more logged than a pipe holds. */
    async function fillLog(service: Service): Promise<void> {
      service.process.stdout?.pause();
      const connection = await open(service.url);
      for (let n = 0; n < 1000; n++) {
        connection.send(rawRequest('GET /healthz HTTP/1.1', {}));
        await connection.response();
      }
    }

    it('answers, and exits with 0', async () => {
      const service = await start();
      await fillLog(service);
      expect((await create(service)).status).toBe(200);

      service.process.kill('SIGTERM');

      expect(await service.exited).toBe(0);
      expect(storedIds(service.folder)).toEqual([1n]);
    });

    it('exits at once, with 1, on a second signal', async () => {
      const service = await start({ SHUTDOWN_TIMEOUT_MS: '3600000' });
      await fillLog(service);
      await createHalf(service);
      service.process.kill('SIGTERM');
      await isRefusing(service);

      service.process.kill('SIGTERM');

      expect(await service.exited).toBe(1);
    });
  });
});

describe('log', () => {
  function requestLines({ log }: Service): Record<string, unknown>[] {
    return log.filter(({ msg }) => msg === 'request');
  }

  it('has one line for each request: what it was, how it ended, how long it took, and whose it was', async () => {
    const service = await start();

    await create(service, FERN, { 'X-Request-Id': 'a' });
    await create(service, '{}', { 'X-Request-Id': 'b' });
    await create({ ...service, token: 'wrong' }, FERN, { 'X-Request-Id': 'c' });
    await exchange(service.url, rawRequest('GET /nothing?a=b HTTP/1.1', { 'X-Request-Id': 'd' }));
    const lines = await eventually(() => {
      const found = requestLines(service);
      return found.length === 4 ? found : undefined;
    });

    const common = { level: 30, client: '127.0.0.1', durationMs: expect.any(Number) };
    const plants = { ...common, method: 'POST', path: '/plants', operationId: 'createPlant' };
    expect(lines).toEqual(
      [
        { ...plants, requestId: 'a', status: 200, token: 'first' },
        { ...plants, requestId: 'b', status: 400, token: 'first' },
        { ...plants, requestId: 'c', status: 401 },
        { ...common, requestId: 'd', method: 'GET', path: '/nothing', status: 404 },
      ].map((line) => ({
        ...line,
        time: expect.any(Number),
        pid: service.process.pid,
        hostname: expect.any(String),
        msg: 'request',
      })),
    );
  });

  it('never has a token, nor anything of a body', async () => {
    const service = await start({ LOG_LEVEL: 'trace' });
    const { url, token } = service;
    const secret = 'xanthorrhoea';

    await create(service, `{"id":1,"name":"${secret}"}`);
    await create(service, `{"id":1,"name":"${secret} 2"}`);
    await create(service, `{"id":"${secret}","name":1}`);
    await create(service, `{"${secret}`);
    await create({ ...service, token: `${token}${secret}` });
    await exchange(url, rawCreate(token, FERN).replace('/plants', `/plants?access_token=${token}`));
    await exchange(url, rawCreate(token, FERN).replace('/plants', `/plants#${token}`));
    await exchange(url, rawCreate(token, FERN).replace('/plants', `http://${token}@a/plants`));
    await exchange(url, rawCreate('', `{"access_token":"${token}","name":"${secret}"}`));
    await exchange(url, rawCreate(token, FERN, { 'X-Request-Id': `${secret} ${token}` }));
    await eventually(() => (requestLines(service).length === 10 ? true : undefined));

    const log = JSON.stringify(service.log);
    expect(log).not.toContain(token);
    expect(log).not.toContain(secret);
  });

  it('has the X-Request-Id of a client that sends a plain one, and so has the answer', async () => {
    for (const requestId of ['a', 'A-Z_a~z.0-9', 'x'.repeat(128)]) {
      const response = await create(running, FERN, { 'X-Request-Id': requestId });

      expect(response.headers['x-request-id']).toBe(requestId);
      expect(await running.logged({ requestId })).toMatchObject({ status: 200 });
    }
  });

  it('has an id of its own where the X-Request-Id of the client is none, and so has the answer', async () => {
    for (const insane of ['', 'x'.repeat(129), 'a b', 'a,b', '"', '{"level":60}', 'é']) {
      const bytes = rawCreate(running.token, FERN, { 'X-Request-Id': insane });
      const { status, headers } = await exchange(running.url, bytes);

      const requestId = headers['x-request-id'] ?? '';
      expect({ insane, status, requestId }).toEqual({
        insane,
        status: 200,
        requestId: expect.stringMatching(/^[\da-f]{16}-[\da-z]+$/),
      });
      expect(await running.logged({ requestId })).toMatchObject({ status: 200 });
    }
  });
});

describe('tokens of a running service', () => {
  const token = (folder: string, ...args: string[]): ReturnType<typeof run> =>
    run('token', ['token', '--prefix', 'plants_', ...args], {
      TOKENS_FILE: join(folder, 'tokens'),
    });

  it('are printed alone when they are made, and work at once', async () => {
    // The tokens file has just been looked at.
    expect((await create(running)).status).toBe(200);

    const { code, stdout, stderr } = await token(running.folder, 'create', 'gardener');

    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^plants_[\w-]{43}\n$/),
      stderr: '',
    });
    expect((await create({ ...running, token: stdout.trim() })).status).toBe(200);
    expect(await running.logged({ token: 'gardener' })).toMatchObject({ status: 200 });
  });

  it('are refused within about a second of being revoked, the others are not', async () => {
    const visitor = {
      ...running,
      token: (await token(running.folder, 'create', 'visitor')).stdout.trim(),
    };
    await eventually(async () => ((await create(visitor)).status === 200 ? true : undefined));

    expect((await token(running.folder, 'revoke', 'visitor')).code).toBe(0);
    const refused = await eventually(async () => {
      const response = await create(visitor);
      return response.status === 200 ? undefined : response;
    }, 2000);

    expectError(refused, 40102);
    expect((await create(running)).status).toBe(200);
  });

  it('are listed by name, without token or digest', async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    const made = [
      (await token(folder, 'create', 'gardener')).stdout.trim(),
      (await token(folder, 'create', 'visitor', '--expires', '90d')).stdout.trim(),
    ];
    await token(folder, 'create', 'gone');
    await token(folder, 'revoke', 'gone');

    const { code, stdout } = await token(folder, 'list');

    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^gardener\tmade \S+Z\tnever expires$/),
      expect.stringMatching(/^visitor\tmade \S+Z\texpires \S+Z$/),
    ]);
    for (const secret of made) expect(stdout).not.toContain(secret);
    expect(stdout).not.toMatch(/[\da-f]{64}/);
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['destroy', 'gardener']],
    ['a create without a name', ['create']],
    ['a create with two names', ['create', 'gardener', 'visitor']],
    ['a lifetime that is none', ['create', 'gardener', '--expires', 'soon']],
    ['an unknown option', ['list', '--all']],
  ])('are left as they are, with the usage and exit code 2, on %s', async (_case, args) => {
    const folder = newFolder();

    const { code, stdout, stderr } = await token(folder, ...args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('usage:');
    expect(readdirSync(folder)).toEqual([]);
  });
});
