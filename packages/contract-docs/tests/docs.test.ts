import { beforeAll, describe, expect, it } from '@jest/globals';
import { createContractApp, parseContract } from 'contract-server';
import type { Express } from 'express';
import request from 'supertest';
import { createDocs } from '../src/index.js';

const error = {
  description: '',
  content: { 'application/json': { schema: { type: 'object' } } },
};
const contract = {
  openapi: '3.1.0',
  info: { title: 'Tom & "Jerry" <b>', version: '1' },
  paths: {},
  'x-unmatched-responses': { 204: { description: '' }, default: error },
};

async function serve(docs: boolean, basePath = ''): Promise<Express> {
  return createContractApp({
    document: await parseContract(contract),
    handlers: {},
    strategies: {},
    errorBody: ({ code }) => ({ code }),
    config: { docs, basePath, maxBodyBytes: 1, requestTimeoutMs: 1000, trustProxy: false },
    createDocs,
  });
}

let app: Express;
beforeAll(async () => {
  app = await serve(true);
});

async function assetsOf(server: Express, base = ''): Promise<string[]> {
  const { text } = await request(server).get(`${base}/docs`);
  return [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(
    ([, path = '']) => `${base}/${path}`,
  );
}

describe('GET /docs', () => {
  it('answers with a page that may load and call nothing but its own origin', async () => {
    const { status, headers } = await request(app).get('/docs');

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy.join()).not.toContain('unsafe');
  });

  it('has the title of the contract as text, whatever is in it', async () => {
    const { text } = await request(app).get('/docs');

    expect(text).toContain('<title>Tom &#38; &#34;Jerry&#34; &#60;b&#62;: API reference</title>');
  });

  it('names only what the service has', async () => {
    const paths = await assetsOf(app);
    const responses = await Promise.all(paths.map((path) => request(app).get(path)));

    expect(paths).toHaveLength(5);
    expect(responses.map(({ status, type }) => [status, type])).toEqual([
      [200, 'image/png'],
      [200, 'text/css'],
      [200, 'text/css'],
      [200, 'text/javascript'],
      [200, 'text/javascript'],
    ]);
    for (const { headers } of responses) {
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('is mounted with the operations', async () => {
    const based = await serve(true, '/v1');
    const [first = ''] = await assetsOf(based, '/v1');

    expect((await request(based).get(first)).status).toBe(200);
    expect((await request(based).get('/docs')).status).toBe(404);
  });

  it('is not there where DOCS is off', async () => {
    expect((await request(await serve(false)).get('/docs')).status).toBe(404);
  });

  it('refuses other methods with 405', async () => {
    const { status, headers } = await request(app).post('/docs');

    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, OPTIONS' });
  });
});

describe('the files of the page', () => {
  it.each([
    '/docs/',
    '/Docs',
    '/docs/page.js',
    '/docs/0000000000000000/page.js',
    ...['package.json', '../package.json', '..%2f..%2fpackage.json', '%2e%2e/page.js', 'page.js/'],
  ])('are no way to %j', async (name) => {
    const [folder = ''] = (await assetsOf(app)).map((path) => path.slice(0, path.lastIndexOf('/')));
    const path = name.startsWith('/') ? name : `${folder}/${name}`;

    expect((await request(app).get(path)).status).toBe(404);
  });
});
