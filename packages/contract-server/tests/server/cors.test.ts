import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import { ApiError } from '../../src/index.js';
import { createFixtureApp } from '../support/contract-app.js';
import { contractOf, engineResponses, oneToken } from '../support/fixture.js';

const APP = 'https://app.example';
const OTHER = 'https://other.example';
const ok = { description: '', headers: { 'X-Total': { schema: { type: 'integer' } } } };
const contract = contractOf(
  {
    '/things': {
      get: {
        operationId: 'listThings',
        security: [],
        responses: { default: engineResponses['400'], '200': ok },
      },
      post: {
        operationId: 'addThing',
        parameters: [{ name: 'X-Trace', in: 'header', schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': {} } },
        responses: { default: engineResponses['400'], '204': { description: '' } },
      },
    },
    '/keys': {
      put: {
        operationId: 'putKey',
        security: [{ key: [] }],
        responses: { default: engineResponses['400'], '204': { description: '' } },
      },
      options: {
        operationId: 'keyOptions',
        responses: { default: engineResponses['400'], '200': { description: '' } },
      },
    },
  },
  {
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      },
    },
    security: [{ bearer: [] }],
  },
);
const handlers = {
  listThings: () => ({ status: 200, headers: { 'X-Total': 1, Vary: 'Accept' } }),
  addThing: () => {
    throw new ApiError(50301, 'not now', { 'Retry-After': '1' });
  },
  putKey: () => ({ status: 204 }),
  keyOptions: () => ({ status: 200 }),
};
const strategies = { bearer: oneToken('good'), key: oneToken('never') };

async function serve(corsOrigins: string[]): Promise<Express> {
  return createFixtureApp(contract, handlers, { strategies, config: { corsOrigins } });
}

function corsOf(headers: Record<string, string>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^access-control|^vary$/.test(name)),
  );
}

const EXPOSED = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Allow, X-Total';
const granted = {
  'access-control-allow-origin': APP,
  'access-control-expose-headers': EXPOSED,
  vary: 'Origin',
};

let app: Express;
beforeAll(async () => {
  app = await serve([APP, 'https://second.example']);
});

describe('a response to a page of a known origin', () => {
  it('may be read, with the headers that the contract declares', async () => {
    const { status, headers } = await request(app).get('/things').set('Origin', APP);

    expect(status).toBe(200);
    expect(corsOf(headers)).toEqual({ ...granted, vary: 'Origin, Accept' });
  });

  it.each([
    [401, 40101, () => request(app).post('/things').send({})],
    [413, 41301, () => authorized().send({ text: 'x'.repeat(20_000) })],
    [415, 41501, () => authorized().type('text/plain').send('x')],
    [503, 50301, () => authorized().send({})],
    [404, 40401, () => request(app).get('/nothing')],
    [405, 40501, () => request(app).delete('/things')],
  ])('may be read where it is the error %s', async (status, code, send) => {
    const response = await send().set('Origin', APP);

    expect(response.status).toBe(status);
    expect(response.body).toEqual({ error: code, message: expect.any(String) });
    expect(corsOf(response.headers)).toEqual(granted);
  });
});

function authorized(): request.Test {
  return request(app).post('/things').set('Authorization', 'Bearer good');
}

describe('a response to anybody else', () => {
  it.each([
    ['a page of another origin', { Origin: OTHER }],
    ['a page of an origin that begins alike', { Origin: `${APP}.evil.example` }],
    ['a page without an origin', { Origin: 'null' }],
    ['no page', {}],
  ])('says only that it differs by origin: %s', async (_case, headers) => {
    const response = await request(app).get('/things').set(headers);

    expect(response.status).toBe(200);
    expect(corsOf(response.headers)).toEqual({ vary: 'Origin, Accept' });
  });
});

describe('a preflight', () => {
  const ask = (path: string, method: string, origin = APP) =>
    request(app)
      .options(path)
      .set({ Origin: origin, 'Access-Control-Request-Method': method })
      .set('Access-Control-Request-Headers', 'authorization,x-any');

  it('is answered with the methods and the header fields of its path', async () => {
    const { status, headers } = await ask('/things', 'POST');

    expect(status).toBe(204);
    expect(headers.allow).toBe('GET, POST, HEAD, OPTIONS');
    expect(corsOf(headers)).toEqual({
      ...granted,
      'access-control-allow-methods': 'GET, POST, HEAD',
      'access-control-allow-headers': 'Authorization, Content-Type, X-Trace',
      'access-control-max-age': '7200',
    });
  });

  it('is answered so for a method that the path does not have', async () => {
    const { status, headers } = await ask('/things', 'DELETE');

    expect(status).toBe(204);
    expect(headers['access-control-allow-methods']).toBe('GET, POST, HEAD');
  });

  it('needs no credentials where OPTIONS is an operation that does', async () => {
    const { status, headers } = await ask('/keys', 'PUT');

    expect(status).toBe(204);
    expect(headers['access-control-allow-methods']).toBe('PUT, OPTIONS');
    expect(headers['access-control-allow-headers']).toBe('X-Key, Authorization');
  });

  it('of another origin is an OPTIONS as any other', async () => {
    const { status, headers } = await ask('/things', 'POST', OTHER);

    expect(status).toBe(204);
    expect(headers.allow).toBe('GET, POST, HEAD, OPTIONS');
    expect(corsOf(headers)).toEqual({ vary: 'Origin' });
  });

  it('to an unknown path is 404', async () => {
    const { status, headers } = await ask('/nothing', 'POST');

    expect(status).toBe(404);
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });
});

describe('an OPTIONS that is no preflight', () => {
  it('is answered as it would be without CORS', async () => {
    const { status, headers } = await request(app).options('/things').set('Origin', APP);

    expect({ status, allow: headers.allow }).toEqual({
      status: 204,
      allow: 'GET, POST, HEAD, OPTIONS',
    });
    expect(corsOf(headers)).toEqual(granted);
  });
});

describe('a service that any page may call', () => {
  it('says so to everybody, and needs no Vary', async () => {
    const open = await serve(['*']);

    const { headers } = await request(open).get('/things').set('Origin', OTHER);

    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
      vary: 'Accept',
    });
  });
});

describe('a service that no page may call', () => {
  it('says nothing of origins', async () => {
    const closed = await serve([]);

    const { status, headers } = await request(closed)
      .options('/things')
      .set({ Origin: APP, 'Access-Control-Request-Method': 'POST' });

    expect(status).toBe(204);
    expect(corsOf(headers)).toEqual({});
  });
});
