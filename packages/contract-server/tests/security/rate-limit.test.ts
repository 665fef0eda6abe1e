import { describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import request from 'supertest';
import { ContractError, type AppOptions } from '../../src/index.js';
import { createFixtureApp } from '../support/contract-app.js';
import { contractOf, engineResponses } from '../support/fixture.js';
import { knowsAuthorization } from '../support/strategies.js';

const limited = { default: engineResponses['400'] };
/** By the Authorization header. */
const PRINCIPALS = {
  'Bearer a': { name: 'a' },
  'Bearer b': { name: 'b' },
  'Bearer odd': { id: 1 },
};
const strategies = { bearer: knowsAuthorization(PRINCIPALS) };
const handlers = { addThing: () => ({ status: 204 }), open: () => ({ status: 204 }) };
const done = { '204': { description: '' } };

function contractWith(responses: object): object {
  return contractOf(
    {
      '/things': {
        post: {
          operationId: 'addThing',
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { ...responses, ...done },
        },
      },
      '/open': {
        get: { operationId: 'open', security: [], responses: { ...limited, ...done } },
      },
    },
    {
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
  );
}

function serve(
  requests: number,
  overrides: Partial<AppOptions<Record<string, never>, unknown>> = {},
): Promise<Express> {
  return createFixtureApp(contractWith(limited), handlers, {
    strategies,
    ...overrides,
    config: { rateLimit: { requests, windowSeconds: 60 } },
  });
}

function send(app: Express, token: string, body: object | string = {}): request.Test {
  return request(app)
    .post('/things')
    .type('json')
    .set('Authorization', `Bearer ${token}`)
    .send(body);
}

describe('a limit for each caller', () => {
  it('says in every answer what is left', async () => {
    const app = await serve(2);

    const first = await send(app, 'a');
    const second = await send(app, 'a', 'no JSON');

    expect([first.status, second.status]).toEqual([204, 400]);
    expect(first.headers['ratelimit-policy']).toBe('"default";q=2;w=60');
    expect(first.headers.ratelimit).toBe('"default";r=1;t=60');
    expect(second.headers.ratelimit).toMatch(/^"default";r=0;t=(60|59)$/);
  });

  it('refuses one request too many with 429, and says when to try again', async () => {
    const app = await serve(1);
    await send(app, 'a');

    const refused = await send(app, 'a');

    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      error: 42901,
      message: 'more than the 1 requests allowed in 60 s; nothing was changed',
    });
    expect(refused.headers['retry-after']).toMatch(/^(60|59)$/);
    expect(refused.headers.ratelimit).toMatch(/^"default";r=0;t=(60|59)$/);
  });

  it('counts each caller apart', async () => {
    const app = await serve(1);
    await send(app, 'a');

    expect((await send(app, 'b')).status).toBe(204);
  });

  it('refuses before the body is read', async () => {
    const app = await serve(0);

    const refused = await send(app, 'a', { text: 'x'.repeat(20_000) });

    expect(refused.status).toBe(429);
  });

  it('counts no request that is not authenticated', async () => {
    const app = await serve(1);

    const anonymous = await send(app, 'unknown');

    expect(anonymous.status).toBe(401);
    expect(anonymous.headers).not.toHaveProperty('ratelimit');
    expect((await send(app, 'a')).status).toBe(204);
  });

  it('leaves alone who calls an operation that needs no token', async () => {
    const app = await serve(0);

    const { status, headers } = await request(app).get('/open');

    expect(status).toBe(204);
    expect(headers).not.toHaveProperty('ratelimit');
  });

  it('is kept across apps that count by the same limiter', async () => {
    const rateLimiter = new RateLimiterMemory({ points: 1, duration: 60 });
    const [one, other] = await Promise.all([serve(1, { rateLimiter }), serve(1, { rateLimiter })]);
    await send(one, 'a');

    expect((await send(other, 'a')).status).toBe(429);
  });

  it.each([
    ['whose limiter can not count', 'a', { consume: () => Promise.reject(new Error('down')) }],
    ['whose principal has no name', 'odd', undefined],
  ])('answers a request %s with 500', async (_case, token, rateLimiter) => {
    const app = await serve(1, { rateLimiter });

    expect((await send(app, token)).status).toBe(500);
  });
});

describe('an operation that needs a token and declares no 429', () => {
  it('is refused at boot where callers are limited', async () => {
    const config = { rateLimit: { requests: 1, windowSeconds: 1 } };

    await expect(
      createFixtureApp(contractWith(engineResponses), handlers, { strategies, config }),
    ).rejects.toEqual(
      new ContractError([
        "addThing: may be answered with 429, which it doesn't declare; declare the status, its range (4XX) or a default",
      ]),
    );
  });

  it('is served where nobody is limited', async () => {
    const app = await createFixtureApp(contractWith(engineResponses), handlers, { strategies });

    expect((await request(app).get('/open')).status).toBe(204);
  });
});
