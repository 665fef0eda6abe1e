import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import {
  apiKeyStrategy,
  basicStrategy,
  bearerStrategy,
  refusingStrategy,
  type Principal,
} from '../../src/auth/index.js';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';

const GOOD = 'token_a';
const realm = { realm: 'here' };
const verify = (token: string): Principal | undefined =>
  token === GOOD ? { name: 'ci', scopes: ['read'] } : undefined;
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

const schemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'key' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
};
const strategies = {
  bearer: bearerStrategy(verify, realm),
  header: apiKeyStrategy({ in: 'header', name: 'X-Key' }, verify, realm),
  query: apiKeyStrategy({ in: 'query', name: 'key' }, verify, realm),
  cookie: apiKeyStrategy({ in: 'cookie', name: 'key' }, verify, realm),
  basic: basicStrategy(verify, realm),
  digest: refusingStrategy('Digest', realm),
};
let app: Express;

beforeAll(async () => {
  const operations = Object.keys(schemes).map((name) => [
    `/${name}`,
    {
      get: {
        operationId: name,
        security: [{ [name]: [] }],
        responses: { ...engineResponses, '204': { description: '' } },
      },
    },
  ]);
  const contract = contractOf(Object.fromEntries(operations) as object, {
    components: { securitySchemes: schemes },
  });
  const handlers = Object.fromEntries(
    Object.keys(schemes).map((name) => [name, () => ({ status: 204 })]),
  );
  ({ app } = await serveFixture(contract, handlers, { strategies }));
});

describe('strategies over tokens', () => {
  it.each<[string, string, Record<string, string>]>([
    ['a bearer token', '/bearer', { Authorization: `Bearer ${GOOD}` }],
    ['a key in a header', '/header', { 'X-Key': GOOD }],
    ['a key in the query', `/query?key=${GOOD}`, {}],
    ['a key in a cookie', '/cookie', { Cookie: `key=${GOOD}` }],
    ['a user and a password', '/basic', { Authorization: basic(`ci:${GOOD}`) }],
  ])('let in who sends %s', async (_case, path, headers) => {
    expect((await request(app).get(path).set(headers)).status).toBe(204);
  });

  it.each<[string, string, Record<string, string>]>([
    ['no bearer token', '/bearer', {}],
    ['an unknown token', '/bearer', { Authorization: 'Bearer other' }],
    ['no key', '/header', {}],
    ['an unknown key', '/query?key=other', {}],
    ['an empty cookie', '/cookie', { Cookie: 'key=' }],
    ['the password of another user', '/basic', { Authorization: basic(`cd:${GOOD}`) }],
    ['a password without a user', '/basic', { Authorization: basic(GOOD) }],
    ['text that is not Base64', '/basic', { Authorization: `${basic(`ci:${GOOD}`)}x` }],
    ['anything, where no strategy is written', '/digest', { Authorization: 'Digest username=""' }],
  ])('refuse %s with a challenge', async (_case, path, headers) => {
    const { status, headers: answered } = await request(app).get(path).set(headers);

    expect(status).toBe(401);
    expect(answered['www-authenticate']).toMatch(/realm="/);
  });
});
