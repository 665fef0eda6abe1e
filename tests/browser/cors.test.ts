import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { serveTestApp, type ServedApp } from '../support/served-app.js';
import { openBrowser } from './chromium.js';

let browser: Browser;
let known: Server;
let unknown: Server;
let service: ServedApp;

/** An origin of its own, with an empty page. */
async function servePage(): Promise<Server> {
  const server = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  [browser, known, unknown] = await Promise.all([openBrowser(), servePage(), servePage()]);
  service = await serveTestApp({
    config: { corsOrigins: [originOf(known)], maxBodyBytes: 1000 },
  });
});

afterAll(async () => {
  await browser.close();
  await service.close();
  known.close();
  unknown.close();
});

/** What a page of an origin gets that sends a create: status, error code and request id, or that it failed. */
async function create(origin: string, body: string, token = service.token): Promise<unknown> {
  const page = await browser.newPage();
  await page.goto(origin);
  const options = {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
  };
  const answer = await page.evaluate(`
    fetch(${JSON.stringify(`${service.url}/plants`)}, ${JSON.stringify(options)}).then(
      async (response) => ({
        status: response.status,
        error: (await response.json()).error,
        hasRequestId: response.headers.has('X-Request-Id'),
      }),
      (error) => error.message,
    )`);
  await page.close();
  return answer;
}

describe('a page of an origin in CORS_ORIGINS', () => {
  it.each([
    [200, undefined, '{"id":1,"name":"fern"}', undefined],
    [400, 40002, '{"id":1}', undefined],
    [401, 40102, '{"id":1,"name":"fern"}', 'unknown'],
    [413, 41301, JSON.stringify({ id: 1, name: 'x'.repeat(1000) }), undefined],
  ])('reads the answer %s, with error %s', async (status, error, body, token) => {
    const answer = await create(originOf(known), body, token);

    expect(answer).toEqual({ status, hasRequestId: true, ...(error && { error }) });
  });
});

describe('a page of another origin', () => {
  it('gets no further than the preflight', async () => {
    service.reset();

    expect(await create(originOf(unknown), '{"id":1,"name":"fern"}')).toBe('Failed to fetch');
    expect(service.log.map(({ method }) => method)).toEqual(['OPTIONS']);
  });
});
