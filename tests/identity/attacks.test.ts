import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CompactEncrypt,
  CompactSign,
  exportSPKI,
  FlattenedSign,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import { expectError } from '../support/expect-error.js';
import { startService, type Service } from '../support/service.js';
import { AUDIENCE, makeSigningKey, startProvider, type Provider } from './provider.js';

/** A token's header and claims; what is undefined isn't in it. */
interface Parts {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

let provider: Provider;
let service: Service;
let keys: { readonly sign: JWK; readonly encrypt: JWK; readonly own: JWK };

beforeAll(async () => {
  keys = {
    sign: await makeSigningKey('first'),
    encrypt: await makeSigningKey('encrypt', 'RSA-OAEP-256', 'enc'),
    own: await makeSigningKey('first'),
  };
  provider = await startProvider([keys.sign, keys.encrypt]);
  service = await startService({
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: AUDIENCE,
    LOG_LEVEL: 'debug',
  });
  await service.logged({ msg: 'has the keys of the issuer' });
});

afterAll(async () => {
  await service.kill();
  await provider.stop();
});

const now = (): number => Math.floor(Date.now() / 1000);
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function partsOf({ header, claims }: Parts): [Record<string, unknown>, Record<string, unknown>] {
  return [
    { alg: 'RS256', typ: 'at+jwt', kid: 'first', ...header },
    { iss: provider.issuer, aud: AUDIENCE, sub: 'mallory', exp: now() + 600, ...claims },
  ];
}

/** A token that is good but for these parts, signed as the provider does it, or with another key. */
async function sign(parts: Parts = {}, key = keys.sign): Promise<string> {
  const [header, claims] = partsOf(parts);
  return signText(header, JSON.stringify(claims), key);
}

async function signText(header: object, text: string, key: JWK): Promise<string> {
  return new CompactSign(Buffer.from(text))
    .setProtectedHeader({ alg: 'RS256', ...header })
    .sign(await signingKey(key), { crit: { exp: true } });
}

/** To sign with, whatever use the key is meant for. */
function signingKey({ kty, n, e, d, p, q, dp, dq, qi }: JWK) {
  return importJWK({ kty, n, e, d, p, q, dp, dq, qi } as JWK, 'RS256'); // all that an RSA key has
}

/** Claims that are not encoded have no place for a dot in a token. */
async function signUnencoded(text: string): Promise<string> {
  const [header] = partsOf({ header: { b64: false, crit: ['b64'] } });
  const { protected: encoded = '', signature } = await new FlattenedSign(Buffer.from(text))
    .setProtectedHeader(header)
    .sign(await signingKey(keys.sign));
  return [encoded, text, signature].join('.');
}

/** A token whose signature is what `digest` makes of its first two parts. */
function forge(parts: Parts, digest: (input: string) => string): string {
  const input = partsOf(parts).map(encode).join('.');
  return `${input}.${digest(input)}`;
}

/** The public key that the provider publishes, for another algorithm. */
function publicKey(alg: string) {
  const { kty, n, e } = keys.sign;
  return importJWK({ kty, n, e } as JWK, alg, { extractable: true }) as Promise<CryptoKey>; // of an RSA key
}

const hmac = (secret: string) => (input: string) =>
  createHmac('sha256', secret).update(input).digest('base64url');

function create(token: string) {
  return service.api.request
    .post('/plants')
    .set('Authorization', `Bearer ${token}`)
    .send({ id: 1, name: 'fern' });
}

/** The request that these attacks make, when nothing is wrong with its token. */
it('takes the token that the attacks change', async () => {
  expect((await create(await sign())).status).toBe(200);
});

const ATTACKS: readonly (readonly [string, () => string | Promise<string>])[] = [
  ['the algorithm none', () => forge({ header: { alg: 'none' } }, () => '')],
  ['the algorithm NoNe', () => forge({ header: { alg: 'NoNe' } }, () => '')],
  [
    'HS256 with the public key as PEM',
    async () =>
      forge({ header: { alg: 'HS256' } }, hmac(await exportSPKI(await publicKey('RS256')))),
  ],
  [
    'HS256 with the modulus as secret',
    () => forge({ header: { alg: 'HS256' } }, hmac(String(keys.sign.n))),
  ],
  ['no signature', async () => (await sign()).replace(/[^.]*$/, '')],
  ['a signature of zeros', () => forge({}, () => Buffer.alloc(256).toString('base64url'))],
  ['ES256 and zeros', () => forge({ header: { alg: 'ES256' } }, () => encode('\0'.repeat(64)))],
  ['the signature of another token', () => forge({}, () => good.split('.')[2] ?? '')],
  ['another key under the same kid', () => sign({}, keys.own)],
  [
    'an own key in jwk',
    () => sign({ header: { jwk: publicOf(keys.own), kid: undefined } }, keys.own),
  ],
  ['an own key behind jku', () => sign({ header: { jku: attacker, kid: 'own' } }, keys.own)],
  ['an own key behind x5u', () => sign({ header: { x5u: attacker, kid: 'own' } }, keys.own)],
  ['an own certificate in x5c', () => sign({ header: { x5c: ['MIIB'] } }, keys.own)],
  ['a kid that is a path', () => sign({ header: { kid: '../../../../dev/null' } })],
  ['a kid that is SQL', () => sign({ header: { kid: "x' UNION SELECT 'secret" } })],
  ['a kid that is a URL', () => sign({ header: { kid: attacker } })],
  ['a kid that is no text', () => sign({ header: { kid: { first: true } } })],
  ['a kid of an object’s own', () => sign({ header: { kid: '__proto__' } })],
  ['the key that others encrypt with', () => sign({ header: { kid: 'encrypt' } }, keys.encrypt)],
  ['a critical header that nobody knows', () => sign({ header: { crit: ['exp'], exp: 1 } })],
  ['an empty list of critical headers', () => forge({ header: { crit: [] } }, () => 'AA')],
  ['claims that are not encoded', () => signUnencoded('{}')],
  ['another issuer', () => sign({ claims: { iss: 'https://login.example.com' } })],
  ['the issuer with a slash', () => sign({ claims: { iss: `${provider.issuer}/` } })],
  ['a list of issuers', () => sign({ claims: { iss: [provider.issuer] } })],
  ['no issuer', () => sign({ claims: { iss: undefined } })],
  ['another audience', () => sign({ claims: { aud: 'https://other.example.com' } })],
  ['audiences of others', () => sign({ claims: { aud: ['a', 'b'] } })],
  ['an audience in an audience', () => sign({ claims: { aud: [[AUDIENCE]] } })],
  ['no audience', () => sign({ claims: { aud: undefined } })],
  ['an expiry that is over', () => sign({ claims: { exp: now() - 31 } })],
  ['no expiry', () => sign({ claims: { exp: undefined } })],
  ['an expiry without end', () => sign({ claims: { exp: 'never' } })],
  ['a beginning to come', () => sign({ claims: { nbf: now() + 60 } })],
  ['no subject', () => sign({ claims: { sub: undefined } })],
  ['U+0000 in the subject', () => sign({ claims: { sub: 'a\u0000b' } })],
  ['the type of a logout', () => sign({ header: { typ: 'logout+jwt' } })],
  ['a JWT in the JWT', async () => nested(await sign())],
  ['claims that are no object', () => signText({ kid: 'first' }, '["alice"]', keys.sign)],
  ['claims that are no JSON', () => signText({ kid: 'first' }, 'alice', keys.sign)],
  ['an encrypted token', () => encrypt()],
  ['12 kB', () => sign({ claims: { padding: 'x'.repeat(9000) } })],
  ['a header that is no JSON', () => `${encode('{')}.${encode('{}')}.AA`],
  ['arrays in each other', () => `${encode('['.repeat(5000))}.${encode('{}')}.AA`],
  ['dots', () => 'a..'],
  ['more dots', () => 'a.b.c.d'],
  ['an opaque token of the provider', () => provider.machineToken(`${AUDIENCE}/opaque`)],
];

/** It is in the cache of tokens that were verified. */
let good: string;
/** Where the attacker's keys are, and how often they were asked for. */
let attacker: string;
let asked = 0;
const server = createServer((_req, res) => {
  asked++;
  res.end(JSON.stringify({ keys: [publicOf(keys.own)] }));
});

const publicOf = ({ kty, n, e, alg }: JWK) => ({ kty, n, e, alg, kid: 'own', use: 'sig' });

const nested = (token: string): Promise<string> =>
  signText({ kid: 'first', cty: 'JWT' }, token, keys.sign);

async function encrypt(): Promise<string> {
  return new CompactEncrypt(Buffer.from('{}'))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
    .encrypt(await publicKey('RSA-OAEP-256'));
}

describe('a forged token', () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
    attacker = `http://127.0.0.1:${port}/jwks`;
    good = await sign({ claims: { sub: 'alice' } });
    expect((await create(good)).status).toBe(200);
  });

  afterAll(() => {
    expect(asked).toBe(0);
    server.close();
  });

  it.each(ATTACKS)('with %s is refused with 401', async (_case, attack) => {
    const token = await attack();
    const seen = service.log.length;

    const response = await create(token).serialize(JSON.stringify);

    expectError(response, 40102);
    expect(response.headers['www-authenticate']).toBe(
      'Bearer realm="plants", error="invalid_token"',
    );
    const line = await service.logged({ requestId: response.headers['x-request-id'] });
    expect(line).not.toHaveProperty('token');
    const log = JSON.stringify(service.log.slice(seen));
    for (const part of token.split('.').filter(({ length }) => length > 8)) {
      expect(log).not.toContain(part);
      expect(response.text).not.toContain(part);
    }
    expect(log).not.toMatch(/mallory|UNION|dev\/null/);
  });

  it('of 20 kB is refused with 431', async () => {
    expectError(await create('x'.repeat(20_000)).serialize(JSON.stringify), 43101);
  });
});
