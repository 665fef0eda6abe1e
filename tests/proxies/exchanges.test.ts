import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:https';
import { connect as connectHttp2 } from 'node:http2';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { createPlantsCheck } from '../support/contract.js';
import { expectError } from '../support/expect-error.js';
import { connect, rawCreate, rawRequest, type RawResponse } from '../support/raw-http.js';
import { eventually } from '../support/eventually.js';
import { caddy } from './support/caddy.js';
import { startFleet, type Fleet } from './support/fleet.js';
import { haproxy } from './support/haproxy.js';
import { nginx } from './support/nginx.js';
import { startProxy, type Proxy } from './support/proxy.js';

const MAX_BODY_BYTES = 1_048_576;
const LARGE = `{"id":1,"name":"${'a'.repeat(MAX_BODY_BYTES)}"}`;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet({ REQUEST_TIMEOUT_MS: '1000', LOG_LEVEL: 'info' });
});
afterAll(() => fleet.remove());

describe.each([nginx, haproxy, caddy])('$name', (program) => {
  let proxy: Proxy;

  beforeAll(async () => {
    proxy = await startProxy(program, fleet.ports, program.fitted);
  });
  afterAll(() => proxy.remove());

  async function send(...pieces: readonly string[]): Promise<RawResponse> {
    const check = createPlantsCheck();
    const connection = await connect(proxy.url, { ca: proxy.ca, check });
    try {
      for (const piece of pieces) connection.send(piece);
      return await connection.response();
    } finally {
      connection.destroy();
    }
  }

  const create = (body: string, headers: Readonly<Record<string, string>> = {}): string =>
    rawCreate(fleet.token, body, headers);

  it('passes creates on, and answers with the id that the client gave the exchange', async () => {
    const sent = create('{"id":9007199254740993,"name":"fern"}', { 'X-Request-Id': 'from-client' });

    const response = await send(sent);

    expect(response).toMatchObject({ status: 200, text: '{"name":"fern"}' });
    expect(response.headers['x-request-id']).toBe('from-client');
    expect((await send(sent)).status).toBe(200);
  });

  it('serves HTTP/2', async () => {
    const session = connectHttp2(proxy.url, { ca: proxy.ca });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/plants',
      authorization: `Bearer ${fleet.token}`,
      'content-type': 'application/json',
    });
    stream.end('{"id":9007199254740993,"name":"fern"}');

    const [headers] = (await once(stream, 'response')) as [object];
    expect(headers).toMatchObject({ ':status': 200 });
    expect(await json(stream)).toEqual({ name: 'fern' });
    session.close();
  });

  it('tells the service the address of the client, whatever the client says of itself', async () => {
    const requestId = `client-${program.name}`;
    const call = request(`${proxy.url}/healthz`, {
      ca: proxy.ca,
      localAddress: '127.0.0.2',
      headers: { 'X-Request-Id': requestId, 'X-Forwarded-For': '203.0.113.1' },
    }).end();
    await once(call, 'response');
    call.destroy();

    const line = await eventually(() => fleet.log().find((line) => line.includes(requestId)));

    expect(JSON.parse(line)).toMatchObject({ client: '127.0.0.2' });
  });

  it.each([
    ['a body that is not JSON', () => [create('{')], 40001],
    ['a body that is not what the contract says', () => [create('{}')], 40002],
    ['no token', () => [rawRequest('POST /plants HTTP/1.1', {}, '{}')], 40101],
    ['an unknown token', () => [rawCreate('nobody', '{}')], 40102],
    ['an unknown path', () => [rawRequest('GET /plant HTTP/1.1', {})], 40401],
    ['a path with a slash too many', () => [rawRequest('GET //plants HTTP/1.1', {})], 40401],
    ['another method', () => [rawRequest('PUT /plants HTTP/1.1', {})], 40501],
    ['another content for an id', () => [create('{"id":9007199254740993,"name":"moss"}')], 40901],
    ['a body that is too large', () => [create(LARGE)], 41301],
    [
      'a body that is too large, without saying so beforehand',
      () => [
        create(`${LARGE.length.toString(16)}\r\n${LARGE}\r\n0\r\n\r\n`, {
          'Transfer-Encoding': 'chunked',
        }),
      ],
      41301,
    ],
    ['a body that does not arrive', () => [create('{"id":1', { 'Content-Length': '30' })], 40801],
    ['another media type', () => [create('a', { 'Content-Type': 'text/plain' })], 41501],
    ['headers of 17 kB', () => [rawRequest('GET / HTTP/1.1', { A: 'a'.repeat(17_000) })], 43101],
  ])('answers %s in the shape of the contract', async (_what, bytes, error) => {
    expectError(await send(...bytes()), error);
  });

  it('goes on with a connection after an error', async () => {
    const connection = await connect(proxy.url, { ca: proxy.ca, check: createPlantsCheck() });
    connection.send(create('{}'));
    expect((await connection.response()).status).toBe(400);
    connection.send(create('{"id":9007199254740993,"name":"fern"}'));

    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  });
});
