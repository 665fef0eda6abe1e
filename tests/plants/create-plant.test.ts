import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { createToken, revokeToken } from 'contract-server/auth';
import { StoreBusyError, StoreUnavailableError } from '../../src/plants/plant-store.js';
import { failingStore } from '../support/failing-store.js';
import { plantsClient } from '../support/contract.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { query, storedPlants } from '../support/database.js';

/** Made once: that takes longer than most tests. */
let shared: TestApp;
/** The shared one, unless a test makes its own. */
let service: TestApp;

beforeAll(async () => {
  shared = await createTestApp();
});

beforeEach(() => {
  shared.reset();
  service = shared;
});

afterEach(async () => {
  if (service !== shared) await service.close();
});

afterAll(() => shared.close());

/** A create with this text as its body. */
function create(body: string, { api, token } = service): Test {
  return api.request
    .post('/plants')
    .set('Authorization', `Bearer ${token}`)
    .set('Content-Type', 'application/json')
    .serialize((text: unknown) => String(text))
    .send(body);
}

function expectError(response: Response, status: number, error: number, message: RegExp): void {
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.body).toEqual({ error, message: expect.stringMatching(message) });
}

function stored(): unknown[] {
  return storedPlants(service.databasePath);
}

describe('createPlant', () => {
  it('answers a new plant with 200, its name and tag, and no id', async () => {
    const response = await create('{"id":1,"name":"monkey puzzle","tag":"araucaria"}');

    expect(response.status).toBe(200);
    expect(response.text).toBe('{"name":"monkey puzzle","tag":"araucaria"}');
    expect(stored()).toEqual([{ id: 1n, name: 'monkey puzzle', tag: 'araucaria' }]);
  });

  it('leaves the tag out of the answer where the plant has none', async () => {
    const response = await create('{"id":1,"name":"fern"}');

    expect(response.text).toBe('{"name":"fern"}');
    expect(stored()).toEqual([{ id: 1n, name: 'fern', tag: null }]);
  });

  it('keeps when, and by which token, a plant was created', async () => {
    await create('{"id":1,"name":"fern"}');

    expect(query(service.databasePath, 'SELECT created_at, created_by FROM plants')).toEqual([
      { created_by: 'test', created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('ignores members that the schema does not name', async () => {
    const response = await create(
      '{"id":1,"name":"fern","colour":"green","__proto__":{"tag":"x"}}',
    );

    expect(response.text).toBe('{"name":"fern"}');
    expect(stored()).toEqual([{ id: 1n, name: 'fern', tag: null }]);
  });

  describe('same id', () => {
    it.each([
      ['with a tag', '{"id":7,"name":"fern","tag":"herb"}'],
      ['without a tag', '{"id":7,"name":"fern"}'],
      ['with an empty tag', '{"id":7,"name":"fern","tag":""}'],
    ])('answers 200 to the same plant again, %s', async (_case, body) => {
      const first = await create(body);

      const second = await create(body);

      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.text).toBe(first.text);
      expect(stored()).toHaveLength(1);
    });

    it.each([
      ['another name', '{"id":7,"name":"oak","tag":"herb"}'],
      ['another tag', '{"id":7,"name":"fern","tag":"tree"}'],
      ['no tag', '{"id":7,"name":"fern"}'],
      ['an empty tag', '{"id":7,"name":"fern","tag":""}'],
    ])('refuses %s with 409 and overwrites nothing', async (_case, body) => {
      await create('{"id":7,"name":"fern","tag":"herb"}');

      const response = await create(body);

      expectError(response, 409, 40901, /^the id 7 belongs to another plant/);
      expect(stored()).toEqual([{ id: 7n, name: 'fern', tag: 'herb' }]);
    });
  });

  describe('exactness', () => {
    it.each([
      ['-9223372036854775808', -9223372036854775808n],
      ['9007199254740992', 9007199254740992n],
      ['9007199254740993', 9007199254740993n],
      ['9223372036854775807', 9223372036854775807n],
      ['9223372036854775807.0', 9223372036854775807n],
      ['9223372036854775806', 9223372036854775806n],
      ['9.007199254740993e15', 9007199254740993n],
      ['1.0', 1n],
      ['1e2', 100n],
      ['-0', 0n],
      ['0e999', 0n],
      ['100e-2', 1n],
    ])('stores the id %s exactly', async (text, id) => {
      const response = await create(`{"id":${text},"name":"fern"}`);

      expect(response.status).toBe(200);
      expect(stored()).toEqual([{ id, name: 'fern', tag: null }]);
    });

    it('takes 9007199254740992 and 9007199254740993 for two plants', async () => {
      await service.api.createPlant({ body: { id: 9007199254740992n, name: 'fern' } });

      const response = await service.api.createPlant({
        body: { id: 9007199254740993n, name: 'oak' },
      });

      expect(response.status).toBe(200);
      expect(stored()).toHaveLength(2);
    });

    it.each([
      ['9223372036854775808', 40002],
      ['-9223372036854775809', 40002],
      ['18446744073709551616', 40002],
      ['1e300', 40002],
      ['1.5', 40002],
      ['"1"', 40002],
      ['true', 40002],
      ['null', 40002],
      ['[1]', 40002],
      ['1e400', 40001],
      ['9007199254740992.5', 40001],
      ['1.00000000000000000001', 40001],
    ])('refuses the id %s with 400', async (text, code) => {
      const response = await create(`{"id":${text},"name":"fern"}`);

      expectError(response, 400, code, /\/id\b/);
      expect(stored()).toEqual([]);
    });

    it.each([
      ['emoji', '🌵👩‍🌾'],
      ['combining characters', 'e\u0301\u0327 vs é'],
      ['right-to-left text', 'شجرة \u202bעץ\u202c'],
      ['×', 'Mentha × piperita'],
      ['quotes and backslashes', '"\\\'`'],
      ['newlines and control characters', 'a\r\n\tb\u0001\u007f\u2028'],
      ['a hundred kilobytes', 'ab:"é🌵'.repeat(11_000)],
      ['nothing', ''],
      ['a BOM', '\ufeffx'],
      ['noncharacters', '\uffff\ufffe'],
    ])('returns and stores a name of %s unchanged', async (_case, name) => {
      const response = await create(JSON.stringify({ id: 1, name, tag: name }));

      expect(response.status).toBe(200);
      expect(response.body).toEqual({ name, tag: name });
      expect(stored()).toEqual([{ id: 1n, name, tag: name }]);
    });
  });

  describe('refuses with 400', () => {
    it.each([
      ['no body', '', 40001, /needs a body/],
      ['a body that is not JSON', '{"id":1,', 40001, /^the body is not valid JSON: /],
      ['two JSON values', '{"id":1,"name":"a"} {}', 40001, /^the body is not valid JSON: /],
      [
        'a BOM before the JSON',
        '\ufeff{"id":1,"name":"a"}',
        40001,
        /^the body is not valid JSON: /,
      ],
      ['an array', '[]', 40002, /^body: must be object$/],
      ['a string', '"x"', 40002, /^body: must be object$/],
      ['null', 'null', 40002, /^body: must be object$/],
      [
        'an object without members',
        '{}',
        40002,
        /body \/name: is required; body \/id: is required/,
      ],
      ['a missing name', '{"id":1}', 40002, /^body \/name: is required$/],
      ['a missing id', '{"name":"a"}', 40002, /^body \/id: is required$/],
      ['a name that is a number', '{"id":1,"name":2}', 40002, /^body \/name: must be string$/],
      ['a name that is null', '{"id":1,"name":null}', 40002, /^body \/name: must be string$/],
      [
        'a tag that is null',
        '{"id":1,"name":"a","tag":null}',
        40002,
        /^body \/tag: must be string$/,
      ],
      ['everything wrong', '{"id":"1","name":2,"tag":3}', 40002, /name.*tag.*id/],
      [
        'U+0000 in the name',
        '{"id":1,"name":"a\\u0000b"}',
        40002,
        /^body \/name: must match pattern/,
      ],
      [
        'U+0000 in the tag',
        '{"id":1,"name":"a","tag":"\\u0000"}',
        40002,
        /^body \/tag: must match/,
      ],
      ['an id given twice', '{"id":1,"id":1,"name":"a"}', 40001, /occurs twice at \/id$/],
      [
        'a member twice, once escaped',
        '{"id":1,"name":"a","n\\u0061me":"b"}',
        40001,
        /twice at \/name$/,
      ],
      [
        'a member twice, deeper',
        '{"id":1,"name":"a","x":[{"y":1,"y":1}]}',
        40001,
        /twice at \/x\/0\/y$/,
      ],
      [
        'an unpaired surrogate',
        '{"id":1,"name":"\\ud83c"}',
        40001,
        /unpaired surrogate at \/name$/,
      ],
      [
        'an unpaired surrogate in a name',
        '{"id":1,"name":"a","\\udf35":1}',
        40001,
        /unpaired surrogate/,
      ],
      ['an astral character in place of a body', '😀', 40001, /unexpected token '\ufffd'/],
      ['an astral character in place of a value', '{"id":😀}', 40001, /unexpected token '\ufffd'/],
      ['an astral character after a backslash', '"\\😀"', 40001, /unexpected token '\ufffd'/],
      [
        'a long member name twice, and an astral character where it is cut',
        `{"${'a'.repeat(198)}😀${'b'.repeat(9000)}":1,"${'a'.repeat(198)}😀${'b'.repeat(9000)}":1}`,
        40001,
        /^.{1,60}twice at \/a{198}…$/,
      ],
      [
        'nesting without end',
        `{"id":1,"name":"a","x":${'['.repeat(9000)}${']'.repeat(9000)}}`,
        40001,
        /nested deeper/,
      ],
    ])('%s', async (_case, body, code, message) => {
      const response = await create(body);

      expectError(response, 400, code, message);
      expect(stored()).toEqual([]);
    });

    it('a body that is not UTF-8', async () => {
      const bytes = Buffer.concat([
        Buffer.from('{"id":1,"name":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}'),
      ]);

      const sending = create('').serialize(String);
      sending.write(bytes);
      const response = await sending.send();

      expectError(response, 400, 40001, /^the body is not valid UTF-8$/);
    });

    it('an escaped surrogate pair is one character, and no error', async () => {
      const response = await create('{"id":1,"name":"\\ud83c\\udf35"}');

      expect(response.body).toEqual({ name: '🌵' });
    });

    it('a query parameter', async () => {
      const response = await create('{"id":1,"name":"a"}').query('dry-run=true');

      expectError(response, 400, 40002, /^query \/dry-run: is not one of those/);
      expect(stored()).toEqual([]);
    });

    it.each([
      ['without a name', '=1', /^query \/: is not one of those/],
      [
        'with an astral character where its name is cut',
        `${'a'.repeat(198)}%F0%9F%98%80=1`,
        /^query \/a{198}…: is not/,
      ],
      ['with a name of 9,000 characters', `${'a'.repeat(9000)}=1`, /^query \/a{199}…: is not/],
    ])('a query parameter %s', async (_case, query, message) => {
      const response = await create('{"id":1,"name":"a"}').query(query);

      expectError(response, 400, 40002, message);
    });
  });

  describe('refuses with 401 and a challenge', () => {
    const CHALLENGE = 'Bearer realm="plants"';
    const REFUSED = `${CHALLENGE}, error="invalid_token"`;

    it.each([
      ['no Authorization', undefined, 40101, CHALLENGE],
      ['an unknown token', 'Bearer unknown', 40102, REFUSED],
      ['the scheme Basic', 'Basic dGVzdDp0ZXN0', 40102, CHALLENGE],
      ['a Digest with several parts', 'Digest username="a", realm="b"', 40102, CHALLENGE],
      ['a token with a space', 'Bearer a b', 40102, CHALLENGE],
      ['a scheme without a token', 'Bearer', 40102, CHALLENGE],
    ])('%s', async (_case, authorization, code, challenge) => {
      const create = service.api.request.post('/plants').set('Content-Type', 'application/json');
      if (authorization !== undefined) void create.set('Authorization', authorization);

      const response = await create.send('{"id":1,"name":"a"}');

      expectError(response, 401, code, /credentials/);
      expect(response.headers['www-authenticate']).toMatch(challenge);
      expect(stored()).toEqual([]);
    });

    it('an expired token', async () => {
      const token = createToken(service.tokensFile, 'old', { expiresAt: new Date(Date.now() - 1) });

      const response = await create('{"id":1,"name":"a"}', { ...service, token });

      expectError(response, 401, 40102, /expired/);
      expect(response.headers['www-authenticate']).toBe(REFUSED);
    });

    it('a revoked token', async () => {
      service = await createTestApp();
      revokeToken(service.tokensFile, 'test');

      const response = await create('{"id":1,"name":"a"}');

      expectError(response, 401, 40102, /revoked/);
    });

    it('a token in the query or in the body', async () => {
      const { api, token } = service;

      const inQuery = await api.request
        .post('/plants')
        .query({ access_token: token })
        .send({ id: 1, name: 'a' });
      const inBody = await api.request
        .post('/plants')
        .send({ id: 1, name: 'a', access_token: token });

      expectError(inQuery, 401, 40101, /credentials/);
      expectError(inBody, 401, 40101, /credentials/);
    });

    it('without a token, before anything else that is wrong', async () => {
      const response = await service.api.request
        .post('/plants?x=1')
        .set('Accept', 'text/html')
        .set('Content-Type', 'text/plain')
        .send('not json');

      expectError(response, 401, 40101, /credentials/);
    });
  });

  // RFC 6750 §2.1: 1*SP.
  it('takes a token behind several spaces', async () => {
    const response = await create('{"id":1,"name":"a"}').set(
      'Authorization',
      `Bearer   ${service.token}`,
    );

    expect(response.status).toBe(200);
  });

  describe('refuses with 406', () => {
    it.each(['text/html', 'application/xml;q=1, application/json;q=0', 'application/*+json'])(
      'Accept: %s',
      async (accept) => {
        const response = await create('{"id":1,"name":"a"}').set('Accept', accept);

        expectError(response, 406, 40601, /^the answers of this operation are application\/json/);
        expect(stored()).toEqual([]);
      },
    );

    it.each(['*/*', 'application/*', 'text/html, application/json;q=0.1', 'APPLICATION/JSON', ''])(
      'not: Accept: %s',
      async (accept) => {
        const response = await create('{"id":1,"name":"a"}').set('Accept', accept);

        expect(response.status).toBe(200);
      },
    );
  });

  describe('refuses with 415', () => {
    it.each([
      ['text/plain', 41501, 'accept', 'application/json'],
      ['application/xml', 41501, 'accept', 'application/json'],
      ['application/jsonp', 41501, 'accept', 'application/json'],
      ['application/json\u00a0', 41501, 'accept', 'application/json'],
      ['application/vnd.api+json', 41501, 'accept', 'application/json'],
      ['application/json; charset=iso-8859-1', 41502, 'accept', 'application/json'],
      ['application/json; charset="utf-16"', 41502, 'accept', 'application/json'],
      ['', 41501, 'accept', 'application/json'],
      ['json', 41501, 'accept', 'application/json'],
    ])('Content-Type: %s', async (contentType, code, header, value) => {
      const response = await create('{"id":1,"name":"a"}').set('Content-Type', contentType);

      expectError(response, 415, code, /application\/json|UTF-8/);
      expect(response.headers[header]).toBe(value);
      expect(stored()).toEqual([]);
    });

    it.each(['gzip', 'br', 'gzip, gzip', 'zstd'])('Content-Encoding: %s', async (coding) => {
      const response = await create('{"id":1,"name":"a"}').set('Content-Encoding', coding);

      expectError(response, 415, 41503, /content coding/);
      expect(response.headers['accept-encoding']).toBe('identity');
    });

    it.each([
      'application/json;charset=UTF-8',
      'Application/JSON ; charset="utf-8"',
      'application/json; v=1',
    ])('not: Content-Type: %s', async (contentType) => {
      const response = await create('{"id":1,"name":"a"}').set('Content-Type', contentType);

      expect(response.status).toBe(200);
    });
  });

  it('refuses a body over the limit with 413', async () => {
    const body = JSON.stringify({ id: 1, name: 'a'.repeat(1_048_577) });

    const response = await create(body);

    expectError(response, 413, 41301, /1048576 bytes/);
    expect(stored()).toEqual([]);
  });

  it('takes a body of exactly the limit', async () => {
    const empty = JSON.stringify({ id: 1, name: '' });
    const body = JSON.stringify({ id: 1, name: 'a'.repeat(1_048_576 - empty.length) });

    const response = await create(body);

    expect(response.status).toBe(200);
  });

  describe('store', () => {
    const failing = (error: Error) => createTestApp({ store: failingStore(error) });

    it('answers 503 with Retry-After when it is down, and logs why', async () => {
      const cause = new Error('disk I/O error');
      service = await failing(new StoreUnavailableError('the commit failed', { cause }));

      const response = await create('{"id":1,"name":"a"}');

      expectError(response, 503, 50302, /^the store cannot take this now; nothing was changed$/);
      expect(response.headers['retry-after']).toBe('1');
      expect(JSON.stringify(service.log)).toContain('disk I/O error');
    });

    it('answers 503 with Retry-After when too much is waiting', async () => {
      service = await failing(new StoreBusyError('10000 creates are waiting'));

      const response = await create('{"id":1,"name":"a"}');

      expectError(response, 503, 50303, /too much is waiting/);
      expect(response.headers['retry-after']).toBe('1');
    });

    it('answers anything unforeseen with 500, and puts the details into the log alone', async () => {
      service = await failing(new Error('secret detail'));

      const response = await create('{"id":1,"name":"a"}');

      expectError(response, 500, 50001, /^something went wrong here/);
      expect(JSON.stringify(service.log)).toContain('secret detail');
    });
  });

  it('answers 503 with Retry-After while the service stops', async () => {
    service = await createTestApp({ isStopping: () => true });

    const response = await create('{"id":1,"name":"a"}');

    expectError(response, 503, 50301, /stopping/);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.headers.connection).toBe('close');
  });
});

describe('a request that reaches no operation', () => {
  it.each(['/', '/plant', '/plants/', '/Plants', '/plants/1/x', '/%70lants/x/y'])(
    'gets 404 at %s',
    async (path) => {
      const response = await service.api.request.post(path);

      expect(response.status).toBe(404);
      expect(response.body).toEqual({ error: 40401, message: 'there is nothing at this path' });
    },
  );

  it.each(['get', 'put', 'delete', 'patch'] as const)(
    'gets 405 with Allow for %s',
    async (method) => {
      const response = await service.api.request[method]('/plants');

      expect(response.status).toBe(405);
      expect(response.headers.allow).toBe('POST, OPTIONS');
      expect(response.body).toEqual({
        error: 40501,
        message: `${method.toUpperCase()} is not a method of this path, which has: POST, OPTIONS`,
      });
    },
  );

  it('gets 405 without a body for HEAD', async () => {
    const response = await service.api.request.head('/plants');

    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe('POST, OPTIONS');
  });

  it('gets 204 with Allow for OPTIONS, without a token', async () => {
    const response = await service.api.request.options('/plants');

    expect(response.status).toBe(204);
    expect(response.headers.allow).toBe('POST, OPTIONS');
    expect(response.text).toBe('');
  });

  it('gets 500 where what stands beside the operations breaks, with the details in the log alone', async () => {
    const broken = await createTestApp({
      isStopping: () => {
        throw new Error('secret detail');
      },
    });
    // A probe is no part of the contract, but what becomes of its failure is.
    const api = plantsClient(broken.app, { outside: [] });

    const response = await api.request.get('/readyz');
    await broken.close();

    expectError(response, 500, 50001, /^something went wrong here/);
    expect(JSON.stringify(broken.log)).toContain('secret detail');
  });
});

describe('a service that limits its callers', () => {
  it('says what is left, and refuses one create too many of a token with 429', async () => {
    service = await createTestApp({
      config: { rateLimit: { requests: 1, windowSeconds: 60 } },
    });
    const other = createToken(service.tokensFile, 'other');

    const first = await create('{"id":1,"name":"fern"}');
    const second = await create('{"id":2,"name":"fern"}');
    const others = await plantsClient(service.app, {
      headers: { Authorization: `Bearer ${other}` },
    }).createPlant({ body: { id: 3n, name: 'fern' } });

    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      ratelimit: '"default";r=0;t=60',
      'ratelimit-policy': '"default";q=1;w=60',
    });
    expectError(second, 429, 42901, /^more than the 1 requests allowed in 60 s/);
    expect(others.status).toBe(200);
    expect(storedPlants(service.databasePath).map(({ id }) => id)).toEqual([1n, 3n]);
  });
});
