import type { IncomingMessage } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import {
  ApiError,
  createContractApp,
  parseContract,
  type Observation,
  type Observer,
} from '../../src/index.js';
import { contractOf, engineResponses } from '../support/fixture.js';

/** What was told of the requests, in order. */
let told: unknown[][];
let served: string[];

const observer: Observer = {
  serves: (operations) => {
    served = operations.map(({ operationId }) => operationId);
  },
  observe(req: IncomingMessage): Observation {
    told.push(['observe', req.method]);
    return {
      traceId: undefined,
      spanId: undefined,
      routed: ({ operationId, pathTemplate }, basePath) =>
        told.push(['routed', operationId, basePath + pathTemplate]),
      async handle(handler, given) {
        told.push(['handler starts']);
        try {
          return await handler(given);
        } finally {
          told.push(['handler ends']);
        }
      },
      refused: (code) => told.push(['refused', code]),
      faulted: (kind) => told.push(['faulted', kind]),
      ended: (status, durationMs) => told.push(['ended', status, durationMs >= 0]),
    };
  },
  refusedConnection: () => undefined,
  shed: () => undefined,
};

let app: Express;
let answer: () => unknown;

beforeAll(async () => {
  const responses = { ...engineResponses, '204': { description: 'Done.' } };
  const getThing = {
    operationId: 'getThing',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    responses,
  };
  app = await createContractApp<Record<string, never>, unknown>({
    document: await parseContract(contractOf({ '/things/{id}': { get: getThing } })),
    config: { basePath: '/v1', maxBodyBytes: 1, requestTimeoutMs: 1000, trustProxy: false },
    handlers: { getThing: () => answer() },
    strategies: {},
    errorBody: ({ code, message }) => ({ error: code, message }),
    observer,
  });
});

beforeEach(() => {
  told = [];
  answer = () => ({ status: 204 });
});

describe('an observer', () => {
  it('is told which operations there are', () => {
    expect(served).toEqual(['getThing']);
  });

  it('follows a request through its operation to its end', async () => {
    await request(app).get('/v1/things/7').expect(204);

    expect(told).toEqual([
      ['observe', 'GET'],
      ['routed', 'getThing', '/v1/things/{id}'],
      ['handler starts'],
      ['handler ends'],
      ['ended', 204, true],
    ]);
  });

  it('is told of a request that its schemas refuse, before its handler', async () => {
    await request(app).get('/v1/things/x').expect(400);

    expect(told.slice(2)).toEqual([
      ['refused', 40002],
      ['ended', 400, true],
    ]);
  });

  it('is told of a request that reaches no operation, without one', async () => {
    await request(app).get('/elsewhere').expect(404);

    expect(told.slice(1)).toEqual([
      ['refused', 40401],
      ['ended', 404, true],
    ]);
  });

  it('is told of a response that breaks the contract', async () => {
    answer = () => ({ status: 299 });

    await request(app).get('/v1/things/7').expect(500);

    expect(told.slice(4)).toEqual([
      ['faulted', 'response'],
      ['ended', 500, true],
    ]);
  });

  it('is told of an error that nobody foresaw', async () => {
    answer = () => {
      throw new TypeError('a bug');
    };

    await request(app).get('/v1/things/7').expect(500);

    expect(told.slice(4)).toEqual([
      ['refused', 50001],
      ['faulted', 'error'],
      ['ended', 500, true],
    ]);
  });

  it('is told of an error that the handler answers with', async () => {
    answer = () => {
      throw new ApiError(50301, 'later');
    };

    await request(app).get('/v1/things/7').expect(503);

    expect(told.slice(4)).toEqual([
      ['refused', 50301],
      ['ended', 503, true],
    ]);
  });
});
