import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { importJWK, SignJWT, type JWK } from 'jose';
import { query } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { expectError } from '../support/expect-error.js';
import { createFolder, run, serviceEnv, startService, type Service } from '../support/service.js';
import { AUDIENCE, makeSigningKey, startProvider, type Provider } from './provider.js';

/** A bit more than the service leaves a provider alone. */
const COOLDOWN_MS = 12_000;

let firstKey: JWK;
let secondKey: JWK;
let provider: Provider;
let service: Service;
let nextId = 1;

beforeAll(async () => {
  firstKey = await makeSigningKey('first');
  secondKey = await makeSigningKey('second', 'ES256');
});

beforeEach(async () => {
  provider = await startProvider([firstKey]);
  service = await start();
});

afterEach(async () => {
  await service.kill();
  await provider.stop();
});

function start(env: Record<string, string> = {}): Promise<Service> {
  return startService({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, ...env });
}

function create(token: string, { api } = service) {
  return api.request
    .post('/plants')
    .set('Authorization', `Bearer ${token}`)
    .serialize(JSON.stringify)
    .send({ id: nextId++, name: 'fern' });
}

const statusOf = async (token: string): Promise<number> => (await create(token)).status;

/** A token as the provider would give it, with a key that it may not have published. */
async function sign(key: JWK, kid = key.kid ?? '', subject = 'alice'): Promise<string> {
  return new SignJWT({ iss: provider.issuer, aud: AUDIENCE, sub: subject, client_id: 'app' })
    .setProtectedHeader({ alg: key.alg ?? '', kid, typ: 'at+jwt' })
    .setExpirationTime('10m')
    .sign(await importJWK(key));
}

const createdBy = ({ folder }: Service): unknown[] =>
  query(`${folder}/plants.db`, 'SELECT created_by FROM plants ORDER BY id').map(
    ({ created_by: name }) => name,
  );

describe('tokens of a provider', () => {
  it('are taken beside those of the file; log and store say whose they are', async () => {
    const { accessToken } = await provider.logIn();

    expect(await statusOf(service.token)).toBe(200);
    expect(await statusOf(accessToken)).toBe(200);
    expect(await statusOf(await provider.machineToken())).toBe(200);

    expect(createdBy(service)).toEqual(['first', 'oidc:alice:app', 'oidc:machine:machine']);
    expect(await service.logged({ token: 'oidc:alice:app' })).toMatchObject({ status: 200 });
    expect(await service.logged({ token: 'oidc:machine:machine' })).toMatchObject({ status: 200 });
    expect(JSON.stringify(service.log)).not.toContain(accessToken);
  });

  it('are refused where they are ID tokens, also by a service that the client is the audience of', async () => {
    const { idToken } = await provider.logIn();
    const lax = await start({ OIDC_AUDIENCE: 'app', LOG_LEVEL: 'debug' });

    const [other, same] = [await create(idToken), await create(idToken, lax)];
    const reason = await lax.logged({ msg: 'refused a JWT' });
    await lax.kill();

    expectError(other, 40102);
    expectError(same, 40102);
    expect(reason).toMatchObject({ level: 20, reason: 'it is an ID token' });
  });

  it('are taken when its keys have been rotated, without a restart', async () => {
    const old = await provider.machineToken();
    expect(await statusOf(old)).toBe(200);

    await provider.rotate([secondKey, firstKey]);
    const fresh = await provider.machineToken();

    await eventually(async () => ((await statusOf(fresh)) === 200 ? true : undefined), COOLDOWN_MS);
    expect(await statusOf(old)).toBe(200);
    expect(await statusOf(await sign(firstKey))).toBe(200);
  });

  it('are refused once a new set of its keys lacks theirs', async () => {
    expect(await statusOf(await provider.machineToken())).toBe(200);

    await provider.rotate([secondKey]);
    const fresh = await provider.machineToken();

    await eventually(async () => ((await statusOf(fresh)) === 200 ? true : undefined), COOLDOWN_MS);
    expectError(await create(await sign(firstKey)), 40102);
  });
});

describe('a provider that is down', () => {
  it('has its known keys used; another key is answered with 503 and Retry-After, until it is up', async () => {
    expect(await statusOf(await provider.machineToken())).toBe(200);
    await provider.rotate([secondKey, firstKey]);
    const fresh = await provider.machineToken();
    await provider.down();

    const refused = await eventually(async () => {
      const response = await create(fresh);
      return response.status === 401 ? undefined : response;
    }, COOLDOWN_MS);

    expectError(refused, 50307);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await statusOf(await sign(firstKey))).toBe(200);
    expect(await statusOf(service.token)).toBe(200);
    const warning = await service.logged({ msg: 'cannot have the keys of the issuer' });
    expect(warning).toMatchObject({ level: 40, issuer: provider.issuer });
    await provider.up();
    await eventually(async () => ((await statusOf(fresh)) === 200 ? true : undefined), COOLDOWN_MS);
  });

  it('does not keep the service from its start, nor from the tokens of the file', async () => {
    const token = await provider.machineToken();
    await provider.down();
    await service.kill();
    service = await start();

    expect(await service.logged({ msg: 'cannot have the keys of the issuer' })).toBeDefined();
    expect(await statusOf(service.token)).toBe(200);
    expectError(await create(token), 50307);
    expect((await service.api.request.get('/readyz')).status).toBe(200);

    await provider.up();
    await eventually(async () => ((await statusOf(token)) === 200 ? true : undefined), COOLDOWN_MS);
  });
});

it('asks the provider a few times, and serves good tokens, in a flood of unknown keys', async () => {
  const good = await sign(firstKey);
  expect(await statusOf(good)).toBe(200);
  const before = await provider.asked();
  const startedAt = performance.now();

  const statuses = new Map<number, number>();
  for (let batch = 0; batch < 20; batch++) {
    const flood = Array.from({ length: 50 }, (_, n) => sign(firstKey, `kid-${batch}-${n}`));
    const answers = await Promise.all((await Promise.all(flood)).map(statusOf));
    for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    // One that is in the cache, and one that isn't.
    expect(await statusOf(good)).toBe(200);
    expect(await statusOf(await sign(firstKey, 'first', `alice ${batch}`))).toBe(200);
  }

  const fetches = 1 + Math.ceil((performance.now() - startedAt) / 10_000);
  expect([...statuses]).toEqual([[401, 1000]]);
  // Each fetch asks for two documents.
  expect((await provider.asked()) - before).toBeLessThanOrEqual(2 * fetches);
});

describe('without OIDC_ISSUER', () => {
  const NODE_OPTIONS = `--import=${fileURLToPath(new URL('refuse-jose.mjs', import.meta.url))}`;
  let plain: Service;

  beforeAll(async () => {
    plain = await startService({ NODE_OPTIONS });
  });

  afterAll(() => plain.kill());

  it('jose is not loaded', async () => {
    expect((await create(plain.token, plain)).status).toBe(200);
    const { code, stderr } = await run('src/main.js', [], {
      ...serviceEnv(createFolder()),
      NODE_OPTIONS,
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: AUDIENCE,
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('jose was loaded'),
    });
  });

  it('a token of a provider is refused with 401', async () => {
    expectError(await create(await provider.machineToken(), plain), 40102);
  });
});
