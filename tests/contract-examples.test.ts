import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { parse } from 'yaml';
import { StoreUnavailableError, StoreUncertainError } from '../src/plants/plant-store.js';
import { CONTRACT_PATH } from './support/contract.js';
import { failingStore } from './support/failing-store.js';
import { exchange, rawCreate, rawRequest } from './support/raw-http.js';
import { serveTestApp, type ServedApp } from './support/served-app.js';
import type { TestAppOptions } from './support/app.js';

/** What makes the service answer as an example says: the bytes of a request, and a service to send them to. */
interface Cause {
  readonly request: (service: ServedApp) => string | Promise<string>;
  readonly options?: TestAppOptions;
}

const PLANT = '{"id":11646167,"name":"monkey puzzle","tag":"araucaria"}';
const creating = (body: string, headers: Readonly<Record<string, string>> = {}): Cause => ({
  request: ({ token }) => rawCreate(token, body, headers),
});
const failing = (error: Error): TestAppOptions => ({ store: failingStore(error) });

/** By status and name of the example. */
const CAUSES: Readonly<Record<string, Cause>> = {
  '200 withTag': creating(PLANT),
  '400 malformed': creating('{"id":1,"id":2,"name":"a"}'),
  '400 invalid': creating('{"id":"1"}'),
  '401 refused': { request: () => rawRequest('POST /plants HTTP/1.1', {}, '') },
  '404 unknown': { request: () => rawRequest('GET /nothing HTTP/1.1', {}) },
  '405 wrongMethod': { request: () => rawRequest('GET /plants HTTP/1.1', {}) },
  '406 xml': creating(PLANT, { Accept: 'application/xml' }),
  '408 slow': {
    request: ({ token }) => rawCreate(token, '{', { 'Content-Length': '99' }),
    options: { config: { requestTimeoutMs: 300 } },
  },
  '409 idTaken': {
    async request({ url, token }) {
      await exchange(url, rawCreate(token, '{"id":11646167,"name":"fern"}'));
      return rawCreate(token, PLANT);
    },
  },
  '413 tooLarge': creating('', { 'Content-Length': '1048577' }),
  '415 text': creating(PLANT, { 'Content-Type': 'text/plain' }),
  '429 limited': {
    ...creating(PLANT),
    options: {
      config: { rateLimit: { requests: 1000, windowSeconds: 60 } },
      rateLimiter: new RateLimiterMemory({ points: 0, duration: 60 }),
    },
  },
  '431 tooLarge': {
    request: () => rawRequest('GET /plants HTTP/1.1', { 'X-Long': 'x'.repeat(17_000) }),
  },
  '500 unforeseen': { ...creating(PLANT), options: failing(new Error('unforeseen')) },
  '503 storeDown': { ...creating(PLANT), options: failing(new StoreUnavailableError('down')) },
  '503 storeUncertain': { ...creating(PLANT), options: failing(new StoreUncertainError('broke')) },
};

interface Example {
  readonly key: string;
  readonly value: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** Every example of an answer that the contract has, once. */
function listExamples(): Example[] {
  const contract = parse(readFileSync(CONTRACT_PATH, 'utf8')) as Values;
  const found = new Map<string, unknown>();
  const components = (contract.components as { responses: Values }).responses;
  const add = (status: string, response: unknown): void => {
    const { $ref, content = {} } = response as { $ref?: string; content?: Values };
    if ($ref !== undefined) add(status, components[$ref.replace(/.*\//, '')]);
    for (const media of Object.values(content)) {
      const { examples = {} } = media as { examples?: Record<string, { value: unknown }> };
      for (const [name, { value }] of Object.entries(examples)) {
        found.set(`${status} ${name}`, value);
      }
    }
  };
  const operations = Object.values(contract.paths as Values).flatMap((item) =>
    Object.values(item as Values),
  );
  const all = operations.map((operation) => (operation as { responses?: Values }).responses ?? {});
  for (const responses of [...all, contract['x-unmatched-responses'] as Values]) {
    for (const [status, response] of Object.entries(responses)) add(status, response);
  }
  return [...found].map(([key, value]) => ({ key, value }));
}

let service: ServedApp | undefined;
afterEach(() => service?.close());

it.each(listExamples())('the example $key is what the service answers', async ({ key, value }) => {
  const cause = CAUSES[key];
  if (cause === undefined) throw new Error(`say here what is answered with the example ${key}`);
  service = await serveTestApp(cause.options);

  const { status, text } = await exchange(service.url, await cause.request(service));

  const { requestTimeoutMs = 30_000 } = cause.options?.config ?? {};
  const expected = JSON.stringify(value).replace('30000 ms', `${requestTimeoutMs} ms`);
  expect({ status: String(status), body: JSON.parse(text) as unknown }).toEqual({
    status: key.split(' ')[0],
    body: JSON.parse(expected) as unknown,
  });
});
