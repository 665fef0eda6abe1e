import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiError } from '../../src/index.js';
import { contractOf, engineResponses, serveFixture, type Fixture } from '../support/fixture.js';

const contract = contractOf({
  '/things': {
    get: {
      operationId: 'getThing',
      responses: {
        ...engineResponses,
        '200': {
          description: 'A thing.',
          headers: {
            'X-Count': { required: true, schema: { type: 'integer', minimum: 0 } },
            'X-Final': { schema: { type: 'boolean' } },
            'X-Tags': { schema: { type: 'array', maxItems: 2, items: { type: 'integer' } } },
            'X-Size': {
              explode: true,
              schema: {
                type: 'object',
                required: ['w'],
                properties: { w: { type: 'integer' }, h: { type: 'integer' } },
              },
            },
            'X-Range': { schema: { type: 'object', properties: { from: { type: 'integer' } } } },
            'X-More': { content: { 'application/json': { schema: { type: 'array' } } } },
          },
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string' },
                  big: { type: 'integer', format: 'int64' },
                  at: { type: 'string', format: 'date-time' },
                  secret: { type: 'string', writeOnly: true },
                },
              },
            },
          },
        },
        '204': { description: 'Nothing.' },
        '404': {
          description: 'Not there.',
          content: { 'application/json': { schema: { type: 'object', required: ['why'] } } },
        },
      },
    },
  },
});

const OK = { status: 200, headers: { 'X-Count': 1 }, body: { name: 'a' } };

function serve(response: unknown): Promise<Fixture> {
  return serveFixture(contract, { getThing: () => response });
}

describe('OpenAPI 3.1.0 §4.8.17 Response: one that keeps the contract is sent as it is', () => {
  it('has its response sent as it is', async () => {
    const { app, faults } = await serve({ ...OK, headers: { 'X-Count': 3, 'x-final': true } });

    const response = await request(app).get('/things');

    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'x-count': '3',
      'x-final': 'true',
      'content-type': 'application/json',
    });
    expect(response.text).toBe('{"name":"a"}');
    expect(faults).toEqual([]);
  });

  it('has arrays and objects in headers written by their style', async () => {
    const headers = {
      ...{ 'X-Count': 3, 'X-Tags': [1, 2], 'X-Size': { w: 1, h: 2 }, 'X-Range': { from: 3 } },
      'X-More': [{ a: 1 }],
    };
    const { app, faults } = await serve({ ...OK, headers });

    const response = await request(app).get('/things');

    expect(response.headers).toMatchObject({
      ...{ 'x-tags': '1,2', 'x-size': 'w=1,h=2', 'x-range': 'from,3', 'x-more': '[{"a":1}]' },
    });
    expect(faults).toEqual([]);
  });

  it('has the headers of HTTP itself, which no contract needs to declare', async () => {
    const headers = { 'X-Count': 3, 'Cache-Control': 'no-store', etag: '"1"' };
    const { app, faults } = await serve({ ...OK, headers });

    const response = await request(app).get('/things');

    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', etag: '"1"' });
    expect(faults).toEqual([]);
  });

  it('has a bigint written as an exact JSON number', async () => {
    const { app } = await serve({ ...OK, body: { name: 'a', big: 9007199254740993n } });

    const response = await request(app).get('/things');

    expect(response.text).toBe('{"name":"a","big":9007199254740993}');
  });

  it('has a Date checked and sent as the text that it becomes', async () => {
    const { app } = await serve({ ...OK, body: { name: 'a', at: new Date(0) } });

    const response = await request(app).get('/things');

    expect(response.text).toBe('{"name":"a","at":"1970-01-01T00:00:00.000Z"}');
  });

  it('has a response without content sent without a body', async () => {
    const { app, faults } = await serve({ status: 204 });

    const response = await request(app).get('/things');

    expect(response.status).toBe(204);
    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.headers).not.toHaveProperty('content-type');
    expect(faults).toEqual([]);
  });
});

describe('OpenAPI 3.1.0 §4.8.17 Response: one that breaks the contract becomes a declared 500', () => {
  it.each([
    ['an undeclared status', { status: 201, body: {} }, 201, '/status', /not declared/],
    [
      'a header that would split the response',
      { ...OK, headers: { 'X-Count': '1\r\nX: y' } },
      200,
      '',
      /Invalid character/,
    ],
    [
      'a header whose name is none',
      { ...OK, headers: { 'X-Count': 1, 'not a name': 1 } },
      200,
      '',
      /valid HTTP token/,
    ],
    [
      'an undeclared header',
      { ...OK, headers: { 'X-Count': 1, 'X-Debug': 'a' } },
      200,
      '/headers/X-Debug',
      /is not declared/,
    ],
    [
      'too long a list in a header',
      { ...OK, headers: { 'X-Count': 1, 'X-Tags': [1, 2, 3] } },
      200,
      '/header/x-tags',
      /must NOT have more than 2 items/,
    ],
    [
      'an item of another type in a header',
      { ...OK, headers: { 'X-Count': 1, 'X-Tags': '1,a' } },
      200,
      '/header/x-tags/1',
      /must be integer/,
    ],
    [
      'an object in a header without a required member',
      { ...OK, headers: { 'X-Count': 1, 'X-Size': { h: 1 } } },
      200,
      '/header/x-size/w',
      /is required/,
    ],
    [
      'a header that is not of its style',
      { ...OK, headers: { 'X-Count': 1, 'X-Size': 'w' } },
      200,
      '/header/x-size',
      /must be object/,
    ],
    ['nothing at all', undefined, undefined, '', /undefined/],
    ['no status', {}, undefined, '/status', /not declared/],
    ['a body without a required member', { ...OK, body: {} }, 200, '/body/name', /is required/],
    ['a body of the wrong type', { ...OK, body: { name: 1 } }, 200, '/body/name', /must be string/],
    ['no body', { ...OK, body: undefined }, 200, '/body', /is required/],
    ['null for a body', { ...OK, body: null }, 200, '/body', /must be object/],
    [
      'a write-only member',
      { ...OK, body: { name: 'a', secret: 's' } },
      200,
      '/body/secret',
      /write-only/,
    ],
    [
      'a bigint beyond int64',
      { ...OK, body: { name: 'a', big: 2n ** 63n } },
      200,
      '/body/big',
      /922337/,
    ],
    [
      'a number beyond int64',
      { ...OK, body: { name: 'a', big: 2 ** 64 } },
      200,
      '/body/big',
      /922337/,
    ],
    ['NaN', { ...OK, body: { name: 'a', big: NaN } }, 200, '/body/big', /must be integer/],
    [
      'a body that hides a member in toJSON',
      { ...OK, body: { name: 'a', toJSON: () => ({}) } },
      200,
      '/body/name',
      /is required/,
    ],
    ['a body that has a cycle', { ...OK, body: cycle() }, 200, '', /circular/],
    [
      'a body with an unpaired surrogate',
      { ...OK, body: { name: '\ud800' } },
      200,
      '',
      /surrogate/,
    ],
    [
      'another content type',
      { ...OK, contentType: 'text/html' },
      200,
      '/contentType',
      /text\/html is not declared/,
    ],
    ['a missing required header', { ...OK, headers: {} }, 200, '/header/x-count', /is required/],
    [
      'a header of the wrong type',
      { ...OK, headers: { 'X-Count': 'many' } },
      200,
      '/header/x-count',
      /must be integer/,
    ],
    [
      'a header out of range',
      { ...OK, headers: { 'X-Count': -1 } },
      200,
      '/header/x-count',
      /must be >= 0/,
    ],
    [
      'an optional header of the wrong type',
      { ...OK, headers: { 'X-Count': 1, 'X-Final': 'x' } },
      200,
      '/header/x-final',
      /must be boolean/,
    ],
    ['a body where none is declared', { status: 204, body: {} }, 204, '/body', /must NOT be valid/],
    ['an ill-shaped 404', { status: 404, body: { error: 1 } }, 404, '/body/why', /is required/],
    ['an ill-shaped 500', { status: 500, body: { oops: true } }, 500, '/body/error', /is required/],
    ['an ill-shaped 503', { status: 503, body: 'down' }, 503, '/body', /must be object/],
  ])('%s', async (_case, returned, status, pointer, message) => {
    const { app, faults } = await serve(returned);

    const response = await request(app).get('/things');

    expect(response.status).toBe(500);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.body).toEqual({
      error: 50001,
      message: expect.stringMatching(/^something went wrong here/),
    });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ operationId: 'getThing', status });
    expect(faults[0]?.problems).toContainEqual(
      expect.objectContaining({ pointer, message: expect.stringMatching(message) }),
    );
  });

  it.each([
    [
      'throws an error',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
    [
      'throws something that is no error',
      () => {
        throw 'boom'; // eslint-disable-line @typescript-eslint/only-throw-error -- it is the point
      },
    ],
  ])('one that %s', async (_case, getThing) => {
    const { app, faults } = await serveFixture(contract, { getThing });

    const response = await request(app).get('/things');

    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ error: 50001 });
    expect(response.text).not.toContain('boom');
    expect(String(faults[0]?.error)).toContain('boom');
  });

  it('throws an API error whose status is not declared', async () => {
    const { app, faults } = await serveFixture(contract, {
      getThing: () => {
        throw new ApiError(41801, 'I am a teapot');
      },
    });

    const response = await request(app).get('/things');

    expect(response.status).toBe(500);
    expect(faults[0]).toMatchObject({ status: 418, problems: [{ pointer: '/status' }] });
  });

  it('and has an error body that breaks it too: an empty 500', async () => {
    const { app } = await serveFixture(
      contract,
      { getThing: () => ({}) },
      { errorBody: () => 'not the shape' },
    );

    const response = await request(app).get('/things');

    expect(response.status).toBe(500);
    expect(response.text).toBe('');
  });
});

function cycle(): object {
  const body: Record<string, unknown> = { name: 'a' };
  body.self = body;
  return body;
}
