import express from 'express';
import request from 'supertest';
import { expect, it } from '@jest/globals';
import { createContractApp, parseContract, type ApiError } from '../src/index.js';
import { contractOf, engineResponses } from './support/fixture.js';

const config = { maxBodyBytes: 1000, requestTimeoutMs: 10_000, trustProxy: false as const };
const done = { '204': { description: '' } };

/** An app of one contract, below its base path, whose errors are its own. */
async function appOf(basePath: string, path: string, isReady: () => boolean) {
  const operation = { operationId: 'get', responses: { ...engineResponses, ...done } };
  const app = await createContractApp<Record<string, never>, unknown>({
    document: await parseContract(contractOf({ [path]: { get: operation } })),
    handlers: {
      get: () => {
        if (basePath === '/b') throw new Error('a fault of one of them');
        return { status: 204 };
      },
    },
    strategies: {},
    errorBody: ({ code }: ApiError) => ({ error: code, message: `of ${basePath}` }),
    config: { ...config, basePath: '' },
    checkReady: () => (isReady() ? Promise.resolve() : Promise.reject(new Error('not ready'))),
  });
  return { basePath, app };
}

async function serve() {
  const ready = { '/a': true, '/b': true };
  const both = [
    await appOf('/a', '/things', () => ready['/a']),
    await appOf('/b', '/things', () => ready['/b']),
  ];
  const app = express().enable('case sensitive routing').enable('strict routing');
  for (const one of both) app.use(one.basePath, one.app);
  return { app, ready };
}

it('two contracts are served by one app, each below its base path', async () => {
  const { app } = await serve();

  expect((await request(app).get('/a/things')).status).toBe(204);
  expect((await request(app).options('/b/things')).get('Allow')).toBe('GET, HEAD, OPTIONS');
});

it('each answers by its own error body: unmatched requests, wrong ones and faults', async () => {
  const { app } = await serve();

  const told = async (path: string) => {
    const { status, text } = await request(app).get(path);
    return { status, ...(JSON.parse(text) as object) };
  };

  expect(await told('/a/nothing')).toMatchObject({ status: 404, message: 'of /a' });
  expect(await told('/b/nothing')).toMatchObject({ status: 404, message: 'of /b' });
  expect(await told('/a')).toMatchObject({ status: 404, message: 'of /a' });
  expect(await told('/a/things?b=1')).toMatchObject({ status: 400, message: 'of /a' });
  expect(await told('/b/things')).toMatchObject({ status: 500, message: 'of /b' });
});

it('each has its own health', async () => {
  const { app, ready } = await serve();
  ready['/b'] = false;

  expect((await request(app).get('/a/readyz')).status).toBe(200);
  expect((await request(app).get('/b/readyz')).status).toBe(503);
  expect((await request(app).get('/b/healthz')).status).toBe(200);
});
