import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import { parse } from 'yaml';
import { parseContract, readContract } from '../../src/index.js';
import { createFixtureApp } from '../support/contract-app.js';
import { contractOf, engineResponses } from '../support/fixture.js';
import { createFolder } from '../support/folder.js';

const contract = contractOf({
  '/things': {
    get: {
      operationId: 'getThing',
      responses: { default: engineResponses['400'], '204': { description: '' } },
    },
  },
});
const handlers = { getThing: () => ({ status: 204 }) };
const FILES = [
  ['/openapi.json', 'application/json; charset=utf-8', (text: string): unknown => JSON.parse(text)],
  ['/openapi.yaml', 'application/yaml', (text: string): unknown => parse(text)],
] as const;

let app: Express;
let based: Express | undefined;
beforeAll(async () => {
  app = await createFixtureApp(contract, handlers, { config: { docs: true } });
});

/** The text of a body, whatever its media type. */
async function textOf(server: Express, path: string): Promise<string> {
  return textFrom(request(server).get(path));
}

async function textFrom(sent: request.Test): Promise<string> {
  const response = await sent.buffer().parse(asText);
  return String(response.body);
}

const asText: Parameters<request.Test['parse']>[0] = (res, done) => {
  let text = '';
  res.on('data', (chunk: Buffer) => (text += chunk.toString()));
  res.on('end', () => {
    done(null, text);
  });
};

describe.each(FILES)('GET %s', (path, mediaType, read) => {
  it('answers with the contract, for pages of any origin', async () => {
    const response = await request(app).get(path).set('Origin', 'https://any.example');

    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': mediaType,
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(read(await textOf(app, path))).toEqual({ ...contract, servers: [{ url: '/' }] });
  });

  it('answers 304 to who has it, by a strong ETag', async () => {
    const { headers } = await request(app).get(path);
    const etag = String(headers.etag);

    const again = await request(app).get(path).set('If-None-Match', `"other", ${etag}`);
    const other = await request(app).get(path).set('If-None-Match', '"other"');

    expect(etag).toMatch(/^"[\w-]{43}-gzip"$/);
    expect({ status: again.status, etag: again.headers.etag }).toEqual({ status: 304, etag });
    expect(other.status).toBe(200);
  });

  it('is gzipped for who takes that, under an ETag of its own', async () => {
    const zipped = await request(app).get(path).set('Accept-Encoding', 'gzip');
    const plain = await request(app).get(path).set('Accept-Encoding', 'identity');

    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.headers.etag).toMatch(/-gzip"$/);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect([zipped.headers.vary, plain.headers.vary]).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect(plain.headers.etag).not.toBe(zipped.headers.etag);
  });

  it('answers HEAD as GET, without the body', async () => {
    const get = await request(app).get(path).set('Accept-Encoding', 'gzip');
    const head = await request(app).head(path).set('Accept-Encoding', 'gzip');

    expect(head.status).toBe(200);
    expect(head.headers.etag).toBe(get.headers.etag);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('answers OPTIONS with its methods', async () => {
    const { status, headers } = await request(app).options(path);

    expect({ status, allow: headers.allow }).toEqual({ status: 204, allow: 'GET, HEAD, OPTIONS' });
  });

  it('refuses other methods with 405 in the shape of the contract', async () => {
    const response = await request(app).post(path).send({ a: 1 });

    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(response.body).toEqual({ error: 40501, message: expect.any(String) });
  });

  it('says nothing of the Host and the proxies that a client names', async () => {
    const honest = await textOf(app, path);

    const told = await textFrom(
      request(app).get(path).set({
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'x',
      }),
    );

    expect(told).toBe(honest);
  });
});

describe('the contract, served', () => {
  it.each(FILES)(
    'is mounted with the operations, and names where: %s',
    async (path, _type, read) => {
      based ??= await createFixtureApp(contract, handlers, {
        config: { docs: true, basePath: '/v1' },
      });

      expect(read(await textOf(based, `/v1${path}`))).toMatchObject({ servers: [{ url: '/v1' }] });
      expect((await request(based).get(path)).status).toBe(404);
    },
  );

  it('is not there where DOCS is off', async () => {
    const off = await createFixtureApp(contract, handlers, {});

    for (const [path] of FILES) expect((await request(off).get(path)).status).toBe(404);
  });

  const paths = JSON.stringify((contract as { paths: object }).paths);
  const unmatched = JSON.stringify((contract as Record<string, object>)['x-unmatched-responses']);
  const info = `openapi: 3.1.0 # ours\ninfo: { title: 'a', version: '1' }\n`;
  const rest = `# what there is\npaths: ${paths}\nx-unmatched-responses: ${unmatched}\n`;

  async function served(files: Record<string, string>): Promise<{ yaml: string; json: unknown }> {
    const folder = createFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
    const document = await readContract(`${folder}/${Object.keys(files)[0] ?? ''}`);
    const fixture = await createFixtureApp(document, handlers, { config: { docs: true } });
    return {
      yaml: await textOf(fixture, '/openapi.yaml'),
      json: JSON.parse(await textOf(fixture, '/openapi.json')),
    };
  }

  it.each([
    [
      'a block',
      'servers: # where\n  # the first\n  - url: https://a.example\n    description: >\n      a\n\n',
    ],
    ['a flow', "servers: [{ url: 'https://a.example' }]\n\n"],
    ['a sequence that is not indented', 'servers:\n- url: https://a.example\n\n'],
  ])('is the YAML that its author wrote, but for the servers: %s', async (_case, servers) => {
    const { yaml } = await served({ 'api.yaml': info + servers + rest });

    expect(yaml).toBe(`${info}servers:\n  - url: /\n\n${rest}`);
  });

  it('gets servers where its author wrote none', async () => {
    const { yaml } = await served({ 'api.yaml': info + rest });

    expect(yaml).toBe(`${info}${rest}\nservers:\n  - url: /\n`);
  });

  it.each([
    [
      'is YAML in braces',
      `{ openapi: 3.1.0, info: { title: a, version: '1' }, paths: ${paths}, x-unmatched-responses: ${unmatched} }`,
    ],
    [
      'shares its servers',
      `${info}servers: &own [{ url: https://a.example }]\nx-own: *own\n${rest}`,
    ],
    ['is JSON', JSON.stringify(contract)],
  ])('is written anew where it %s', async (_case, text) => {
    const { yaml, json } = await served({ 'api.yaml': text });

    expect(parse(yaml)).toEqual(json);
    expect(json).toMatchObject({ servers: [{ url: '/' }] });
  });

  it('is a contract in itself where it is in several files, and exact', async () => {
    const { yaml, json } = await served({
      'api.yaml': `${info}${rest}components: { schemas: { Thing: { $ref: 'thing.yaml' } } }\n`,
      'thing.yaml': 'type: integer\nmaximum: 9223372036854775807\n',
    });

    expect(yaml).toContain('maximum: 9223372036854775807\n');
    await expect(parseContract(json)).resolves.toMatchObject({
      root: { components: { schemas: { Thing: { type: 'integer' } } } },
    });
  });
});
