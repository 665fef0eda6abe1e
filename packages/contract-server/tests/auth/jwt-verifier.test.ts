import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import request from 'supertest';
import { bearerStrategy, type Principal } from '../../src/auth/index.js';
import { createJwtVerifier } from '../../src/auth/jwt-verifier.js';
import { ApiError } from '../../src/index.js';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';
import { AUDIENCE, makeKey, startIssuer, type TestIssuer } from '../support/issuer.js';

const COOLDOWN_MS = 10_000;
const DISCOVERY = '/.well-known/openid-configuration';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly reason?: string;
}

let issuer: TestIssuer;
let now: number;
let elapsed: number;
let log: Line[];
let verify: (token: string) => Promise<Principal | undefined>;

function wait(ms: number): void {
  now += ms;
  elapsed += ms;
}

function createVerifier(url = issuer.url): typeof verify {
  const logAt = (level: string) => (members: object, message: string) => {
    log.push({ level, message, ...members });
  };
  return createJwtVerifier({
    issuer: url,
    audience: AUDIENCE,
    logger: { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn') },
    clock: { now: () => now, elapsed: () => elapsed },
  });
}

beforeEach(async () => {
  issuer = await startIssuer();
  now = Date.now();
  elapsed = 0;
  log = [];
  verify = createVerifier();
});

afterEach(() => issuer.down());

/** What a token is refused with, where it is not a matter of the token. */
async function refusalOf(token: string): Promise<Pick<ApiError, 'code' | 'headers'>> {
  try {
    await verify(token);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, headers: error.headers };
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a JWT verifier', () => {
  it('knows whose a token is', async () => {
    const token = await issuer.sign({ client_id: 'app', scope: 'read' });

    expect(await verify(token)).toMatchObject({ name: 'oidc:alice:app', scopes: ['read'] });
    expect(log).toEqual([
      { level: 'info', message: 'has the keys of the issuer', issuer: issuer.url, keys: 1 },
    ]);
  });

  it.each(['ES384', 'EdDSA', 'Ed25519'])('takes %s', async (alg) => {
    issuer.keys = [await makeKey('a', alg)];

    expect(await createVerifier()(await issuer.sign())).toBeDefined();
  });

  it('takes a token that names no key, where one key alone fits it', async () => {
    const token = await issuer.sign({}, { kid: undefined as unknown as string });
    expect(await verify(token)).toBeDefined();

    issuer.keys.push(await makeKey('second'));
    expect(await createVerifier()(token)).toBeUndefined();
  });

  it('takes one of several audiences', async () => {
    expect(await verify(await issuer.sign({ aud: ['other', AUDIENCE] }))).toBeDefined();
  });

  it('allows the clocks half a minute, and no more', async () => {
    const seconds = Math.floor(now / 1000);
    now = seconds * 1000;

    expect(await verify(await issuer.sign({ exp: seconds - 29 }))).toBeDefined();
    expect(await verify(await issuer.sign({ exp: seconds - 30 }))).toBeUndefined();
    expect(await verify(await issuer.sign({ nbf: seconds + 30 }))).toBeDefined();
    expect(await verify(await issuer.sign({ nbf: seconds + 31 }))).toBeUndefined();
  });

  it.each<[string, JWTPayload, Partial<JWTHeaderParameters>, string]>([
    ['another issuer', { iss: 'https://other' }, {}, 'ERR_JWT_CLAIM_VALIDATION_FAILED: iss'],
    ['another audience', { aud: 'other' }, {}, 'ERR_JWT_CLAIM_VALIDATION_FAILED: aud'],
    ['audiences of others', { aud: ['a', 'b'] }, {}, 'ERR_JWT_CLAIM_VALIDATION_FAILED: aud'],
    ['no expiry', { exp: undefined as never }, {}, 'ERR_JWT_CLAIM_VALIDATION_FAILED: exp'],
    ['a text as expiry', { exp: '9' as never }, {}, 'ERR_JWT_CLAIM_VALIDATION_FAILED: exp'],
    ['no subject', { sub: undefined as never }, {}, 'it has no sub'],
    ['the type of a logout', {}, { typ: 'logout+jwt' }, 'its typ is not that of an access token'],
    ['too many letters', { a: 'x'.repeat(8192) }, {}, 'it has more than 8192 characters'],
  ])('refuses %s, and tells the log why', async (_case, claims, header, reason) => {
    expect(await verify(await issuer.sign(claims, header))).toBeUndefined();

    expect(log).toContainEqual({ level: 'debug', message: 'refused a JWT', reason });
  });

  it.each<[string, object]>([
    ['to encrypt', { use: 'enc' }],
    ['of another algorithm', { alg: 'ES512' }],
    ['for other operations', { key_ops: ['deriveKey'] }],
  ])('refuses a token signed with a key %s', async (_case, members) => {
    const key = await makeKey('first', 'ES256', members);
    issuer.keys = [key];
    const token = await issuer.sign({}, { alg: 'ES256' }, key);

    expect(await createVerifier()(token)).toBeUndefined();
    expect(log).toContainEqual(expect.objectContaining({ reason: 'ERR_JWKS_NO_MATCHING_KEY' }));
  });

  it('refuses a token of a key that is too short', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const header = Buffer.from('{"alg":"RS256","kid":"short"}').toString('base64url');
    const token = (await issuer.sign()).replace(/^[^.]+/, header);
    const { privateKey } = await makeKey('unused');
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'short', use: 'sig' };
    issuer.keys = [{ privateKey, jwk }];

    expect(await createVerifier()(token)).toBeUndefined();
    expect(log.at(-1)?.reason).toMatch(/2048 bits/);
  });
});

describe('an operation of a contract with openIdConnect', () => {
  it('wants the scopes that the contract lists for it', async () => {
    const paths = {
      '/trees': {
        post: {
          operationId: 'plant',
          security: [{ openId: ['trees:write'] }],
          responses: { ...engineResponses, 403: engineResponses[401], 204: { description: '' } },
        },
      },
    };
    const openId = { type: 'openIdConnect', openIdConnectUrl: `${issuer.url}${DISCOVERY}` };
    const { app } = await serveFixture(
      contractOf(paths, { components: { securitySchemes: { openId } } }),
      { plant: () => ({ status: 204 }) },
      { strategies: { openId: bearerStrategy(verify, { realm: 'trees' }) }, realm: 'trees' },
    );
    const plantWith = async (claims: JWTPayload) => {
      const token = await issuer.sign(claims);
      return request(app).post('/trees').set('Authorization', `Bearer ${token}`);
    };

    const refused = await plantWith({ scope: 'trees:read' });

    expect(refused.body).toMatchObject({ error: 40301 });
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer realm="trees", error="insufficient_scope", scope="trees:write"',
    );
    expect((await plantWith({ scp: ['trees:write'] })).status).toBe(204);
    expect((await plantWith({ aud: 'other' })).status).toBe(401);
  });
});

describe('a token that was verified', () => {
  const asked = (): number => issuer.asked.length;

  it('is taken without its key for a minute', async () => {
    const token = await issuer.sign();
    await verify(token);
    issuer.keys = [await makeKey('second')];

    wait(59_999);

    expect(await verify(token)).toBeDefined();
    expect(asked()).toBe(2);
  });

  it('is refused from its expiry on', async () => {
    const token = await issuer.sign({ exp: Math.ceil(now / 1000) + 5 });
    await verify(token);

    wait(36_000);

    expect(await verify(token)).toBeUndefined();
  });

  it('is refused within six minutes of the withdrawal of its key', async () => {
    const token = await issuer.sign();
    await verify(token);
    issuer.keys = [await makeKey('second')];

    wait(299_999);
    expect(await verify(token)).toBeDefined();
    wait(1);
    expect(await verify(token)).toBeDefined();
    // Its answer is there before that for another token's key, which waits for the same.
    expect(await verify(await issuer.sign())).toBeDefined();
    wait(60_000);

    expect(await verify(token)).toBeUndefined();
  });
});

describe('keys of the issuer', () => {
  it('are rotated while tokens come', async () => {
    const old = await issuer.sign();
    await verify(old);
    issuer.keys.push(await makeKey('second'));
    wait(COOLDOWN_MS);

    const fresh = await issuer.sign({}, {}, issuer.keys[1]);

    expect(await verify(fresh)).toBeDefined();
    expect(await verify(old)).toBeDefined();
    expect(issuer.asked).toEqual([DISCOVERY, '/jwks', DISCOVERY, '/jwks']);
  });

  it('are asked for once in ten seconds, whatever keys tokens name', async () => {
    const good = await issuer.sign();
    await verify(good);

    for (let n = 0; n < 50; n++) {
      expect(await verify(await issuer.sign({}, { kid: `unknown ${n}` }))).toBeUndefined();
    }
    expect(issuer.asked).toHaveLength(2);
    expect(await verify(await issuer.sign())).toBeDefined();

    wait(COOLDOWN_MS);
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => verify(await issuer.sign({}, { kid: `${n}` }))),
    );
    expect(issuer.asked).toHaveLength(4);
  });

  it('are used while the issuer is down; a key that is not among them is answered with 503', async () => {
    await verify(await issuer.sign());
    const unknown = await issuer.sign({}, { kid: 'unknown' });
    await issuer.down();
    wait(600_000);

    expect(await refusalOf(unknown)).toEqual({ code: 50307, headers: { 'Retry-After': '10' } });
    wait(4000);
    expect(await refusalOf(unknown)).toEqual({ code: 50307, headers: { 'Retry-After': '6' } });
    expect(await verify(await issuer.sign())).toBeDefined();
    expect(log.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ reason: expect.stringMatching(/^TypeError: fetch failed: /) }),
    ]);
    await issuer.up();
    wait(6000);

    expect(await verify(unknown)).toBeUndefined();
    expect(log.filter(({ level }) => level === 'info')).toHaveLength(2);
    await issuer.down();
  });

  it('are had as soon as an issuer that was down at the start is up', async () => {
    await verify(await issuer.sign());
    await issuer.down();
    verify = createVerifier();
    const token = await issuer.sign();

    expect((await refusalOf(token)).code).toBe(50307);
    await issuer.up();
    wait(COOLDOWN_MS);

    expect(await verify(token)).toBeDefined();
  });

  it('are waited for by a hundred requests; others get 503 at once, and known keys are used', async () => {
    await verify(await issuer.sign());
    wait(COOLDOWN_MS);
    const held: (() => void)[] = [];
    issuer.answer = (_req, res) => held.push(() => res.writeHead(500).end());
    const tokens = await Promise.all(
      Array.from({ length: 150 }, (_, n) => issuer.sign({}, { kid: `unknown ${n}` })),
    );

    const refusals = tokens.map((token) => refusalOf(token));
    const first = await Promise.race(refusals);

    expect(first).toEqual({ code: 50307, headers: { 'Retry-After': '3' } });
    expect(await verify(await issuer.sign())).toBeDefined();
    for (const answer of held) answer();
    const headers = (await Promise.all(refusals)).map((refusal) => refusal.headers['Retry-After']);
    expect(headers.filter((seconds) => seconds === '10')).toHaveLength(100);
    expect(issuer.asked).toHaveLength(3);
  });

  it.each<[string, (path: string) => [number, string], RegExp]>([
    [
      'another issuer',
      () => [200, '{"issuer":"https://other","jwks_uri":"https://a"}'],
      /https:\/\/other/,
    ],
    [
      'keys over http',
      () => [200, `{"issuer":"${issuer.url}","jwks_uri":"http://a"}`],
      /no https URL/,
    ],
    ['no place of keys', () => [200, `{"issuer":"${issuer.url}"}`], /no https URL/],
    ['no JSON', () => [200, 'hello'], /is not a JSON object/],
    ['an error', () => [500, '{}'], /answered with 500 instead of 200/],
    ['a redirect', () => [302, '{}'], /answered with 302/],
    ['a document without end', () => [200, ' '.repeat(300_000)], /has more than 262144 bytes/],
    ['keys without end', (path) => keysOr(path, ' '.repeat(300_000)), /has more than 262144 bytes/],
    ['keys that are none', (path) => keysOr(path, '{"keys":[1]}'), /malformed/],
  ])('are not had from an issuer that answers with %s', async (_case, answer, reason) => {
    issuer.answer = (req, res) => {
      const [status, text] = answer(req.url ?? '');
      res.writeHead(status, { Location: '/elsewhere' }).end(text);
    };
    verify = createVerifier();

    expect((await refusalOf(await issuer.sign())).code).toBe(50307);
    expect(log.filter(({ level }) => level === 'warn').at(-1)?.reason).toMatch(reason);
  });

  function keysOr(path: string, keys: string): [number, string] {
    const { url } = issuer;
    return [
      200,
      path === '/jwks' ? keys : JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks` }),
    ];
  }
});
