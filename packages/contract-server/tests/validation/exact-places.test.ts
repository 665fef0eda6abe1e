import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { listen } from 'contract-testing/generate';
import { contractOf, engineResponses, serveFixture, type AnyHandlers } from '../support/fixture.js';
import { judgeOf } from '../support/judge.js';

const n = {
  type: 'integer',
  format: 'int64',
  minimum: -(2n ** 63n) + 1n,
  anyOf: [{ maximum: 2n ** 63n - 2n }, { type: 'string' }],
};
const right = ['9223372036854775806', '-9223372036854775807'];
const wrong = ['9223372036854775807', '-9223372036854775808', '9223372036854775808'];

const form = { type: 'object', properties: { n, ns: { type: 'array', items: n } } };
const json = { 'application/json': { schema: n } };
const event = { data: { contentMediaType: 'application/json', contentSchema: n } };
const items = {
  'application/jsonl': { 'x-item-schema': n },
  'text/event-stream': { 'x-item-schema': { type: 'object', properties: event } },
};
const responses = { default: engineResponses['400'], '204': { description: '' } };
const parameter = (where: string, name: string, more: object) => ({
  in: where,
  name,
  required: where === 'path',
  ...more,
});

const paths = {
  '/path/{n}': {
    get: { operationId: 'path', parameters: [parameter('path', 'n', { schema: n })], responses },
  },
  '/in': {
    get: {
      operationId: 'in',
      parameters: [
        parameter('query', 'n', { schema: n }),
        parameter('query', 'json', { content: json }),
        parameter('query', 'list', { explode: false, schema: { type: 'array', items: n } }),
        parameter('header', 'X-N', { schema: n }),
        parameter('cookie', 'n', { schema: n }),
      ],
      responses,
    },
  },
  '/form': {
    post: {
      operationId: 'form',
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': { schema: form },
          'multipart/form-data': {
            schema: form,
            encoding: { ns: { headers: { 'X-N': { schema: n } } } },
          },
          'application/jsonl': { 'x-item-schema': n },
        },
      },
      responses,
    },
  },
  '/out': {
    get: {
      operationId: 'out',
      responses: {
        ...responses,
        '200': {
          description: '',
          headers: { 'X-N': { schema: n }, 'X-Json': { content: json } },
          content: { 'application/json': {}, ...items },
        },
      },
    },
  },
};

const part = (name: string, headers: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n${value}\r\n--b--\r\n`;

type Send = (url: string, digits: string) => request.Test;
const post =
  (type: string, body: (digits: string) => string): Send =>
  (url, digits) =>
    request(url).post('/form').set('Content-Type', type).send(body(digits));

/** A request that has the number at its place. */
const requests: Readonly<Record<string, Send>> = {
  'a path': (url, digits) => request(url).get(`/path/${digits}`),
  'a query': (url, digits) => request(url).get(`/in?n=${digits}`),
  'a list in a query': (url, digits) => request(url).get(`/in?list=1,${digits}`),
  'JSON in a query': (url, digits) => request(url).get(`/in?json=${digits}`),
  'a header': (url, digits) => request(url).get('/in').set('X-N', digits),
  'a cookie': (url, digits) => request(url).get('/in').set('Cookie', `n=${digits}`),
  'a form': post('application/x-www-form-urlencoded', (digits) => `n=${digits}`),
  'a part of a form': post('multipart/form-data; boundary=b', (digits) => part('n', '', digits)),
  'a header of a part': post('multipart/form-data; boundary=b', (digits) =>
    part('ns', `X-N: ${digits}\r\n`, '1'),
  ),
  'an item of a stream': post('application/jsonl', (digits) => `${digits}\n`),
};

/** An answer that has the number at its place. */
const answers: Readonly<Record<string, (digits: bigint) => object>> = {
  'a header': (digits) => ({
    contentType: 'application/json',
    headers: { 'X-N': digits },
    body: 1,
  }),
  'a header of JSON': (digits) => ({
    contentType: 'application/json',
    headers: { 'X-Json': digits },
    body: 1,
  }),
  'an item of a stream': (digits) => ({
    contentType: 'application/jsonl',
    body: Readable.from([digits]),
  }),
  'the data of an event': (digits) => ({
    contentType: 'text/event-stream',
    body: Readable.from([{ data: digits }]),
  }),
};

describe('OpenAPI 3.1.0 §4.4: bounds beyond 2^53 in every location', () => {
  let server: Awaited<ReturnType<typeof listen>>;
  let answer: object;
  const read: unknown[] = [];
  beforeAll(async () => {
    const done = { status: 204 };
    const handlers: AnyHandlers = {
      path: () => done,
      in: () => done,
      form: async ({ body }) => {
        if (Symbol.asyncIterator in Object(body)) {
          for await (const item of body as AsyncIterable<unknown>) read.push(item);
        }
        return done;
      },
      out: () => ({ status: 200, ...answer }),
    };
    const { app } = await serveFixture(contractOf(paths), handlers);
    server = await listen(createServer(app));
  });
  afterAll(() => server.close());

  it.each(Object.entries(requests))('of a request: %s', async (_where, send) => {
    const statuses = [];
    for (const digits of [...right, ...wrong])
      statuses.push((await send(server.url, digits)).status);

    expect(statuses).toEqual([...right.map(() => 204), ...wrong.map(() => 400)]);
  });

  it.each(Object.entries(answers))('of a response: %s', async (_where, answerOf) => {
    const isSent = [];
    for (const digits of [...right, ...wrong]) {
      answer = answerOf(BigInt(digits));
      isSent.push(await isWhole(`${server.url}/out`));
    }

    expect(isSent).toEqual([...right.map(() => true), ...wrong.map(() => false)]);
  });
});

describe('OpenAPI 3.1.0 §4.4: what is told of numbers beyond 2^53', () => {
  it.each([
    ['a bound', 2n ** 63n - 1n, { maximum: 2n ** 63n - 2n }, 'must be <= 9223372036854775806'],
    ['an exclusive bound', 1, { exclusiveMinimum: 2n ** 64n }, 'must be > 18446744073709551616'],
    [
      'constants',
      0,
      { enum: [-(2n ** 63n), 1, 2n ** 64n] },
      'must be equal to one of the allowed values: -9223372036854775808, 1, 18446744073709551616',
    ],
    ['a multiple', 0.005, { multipleOf: 0.01 }, 'must be multiple of 0.01'],
    [
      'a large multiple',
      2n ** 63n,
      { multipleOf: 10n ** 18n },
      'must be multiple of 1000000000000000000',
    ],
  ])('%s', async (_what, a, schema, message) => {
    const { told } = await judgeOf('3.1.0', { type: 'object', properties: { a: schema } });

    expect(await told({ a })).toBe(`body /a: ${message}`);
  });

  it('leaves a handler the same values as ever', async () => {
    const properties = { id: { type: 'integer', format: 'int64' }, n: { maximum: 2n ** 63n } };

    const { received } = await judgeOf('3.1.0', { type: 'object', properties });

    expect(await received({ id: 2n ** 53n + 1n, n: 2n ** 60n + 1n })).toEqual({
      id: 2n ** 53n + 1n,
      n: 2 ** 60,
    });
  });
});

/** A stream that breaks the contract is broken off. */
async function isWhole(url: string): Promise<boolean> {
  const response = await fetch(url);
  return response.text().then(
    () => response.ok,
    () => false,
  );
}
