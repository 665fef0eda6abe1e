import { IncomingMessage, ServerResponse } from 'node:http';
import { connect as openSocket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import { createTestApp, type TestApp } from '../support/app.js';
import { storedPlants } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { expectError } from '../support/expect-error.js';
import {
  connect,
  exchange,
  rawCreate as create,
  rawRequest,
  type RawConnection,
  type RawConnectionOptions,
} from '../support/raw-http.js';
import { listenOnFreePort, type Listening, type ServedApp } from '../support/served-app.js';

const FERN = '{"id":1,"name":"fern"}';
const MEBIBYTE = 1_048_576;

/** The service as it is configured, by that: made once, since that takes longer than most tests. */
const services = new Map<string, TestApp>();

let cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  cleanUps = [];
});

afterAll(async () => {
  for (const service of services.values()) await service.close();
});

/** Listens until the test is over. */
async function listen(
  app: Express,
  requestTimeoutMs: number,
  onServed?: () => void,
): Promise<Listening> {
  const listening = await listenOnFreePort(app, {
    requestTimeoutMs,
    ...(onServed && { onServed }),
  });
  cleanUps.push(() => listening.close());
  return listening;
}

/** The whole service behind a real HTTP server of the test's own, in this process. */
async function serve({
  maxBodyBytes = MEBIBYTE,
  requestTimeoutMs = 30_000,
} = {}): Promise<ServedApp> {
  const key = `${maxBodyBytes} ${requestTimeoutMs}`;
  const service =
    services.get(key) ?? (await createTestApp({ config: { maxBodyBytes, requestTimeoutMs } }));
  services.set(key, service);
  service.reset();
  const { url } = await listen(service.app, requestTimeoutMs);
  return { ...service, url };
}

async function open(url: string, options?: RawConnectionOptions): Promise<RawConnection> {
  const connection = await connect(url, options);
  cleanUps.push(() => {
    connection.destroy();
  });
  return connection;
}

function storedIds({ databasePath }: TestApp): bigint[] {
  return storedPlants(databasePath).map(({ id }) => id);
}

describe('a request that is too slow', () => {
  const SLOW = { requestTimeoutMs: 200 };

  it('refuses headers that do not end with 408 and closes the connection', async () => {
    const { url } = await serve(SLOW);
    const connection = await open(url);

    connection.send('POST /plants HTTP/1.1\r\nHost: plants.example\r\nX-Slow: ');

    expectError(await connection.response(), 40801);
    expect(await connection.closed()).toBeUndefined();
  });

  it('closes a connection on which nothing is ever said', async () => {
    const { url } = await serve(SLOW);
    const connection = await open(url);

    expect(await connection.closed()).toBeUndefined();
  });

  it('refuses a body that does not end with 408 and closes the connection', async () => {
    const service = await serve(SLOW);
    const connection = await open(service.url);

    connection.send(create(service.token, FERN.slice(0, 9), { 'Content-Length': '22' }));

    const response = await connection.response();
    expectError(response, 40801);
    expect(response.headers.connection).toBe('close');
    expect(await connection.closed()).toBeUndefined();
    expect(storedIds(service)).toEqual([]);
  });

  it('refuses a body in chunks that does not end with 408 and closes the connection', async () => {
    const service = await serve(SLOW);
    const connection = await open(service.url);

    connection.send(create(service.token, '16\r\n{"id":1', { 'Transfer-Encoding': 'chunked' }));

    expectError(await connection.response(), 40801);
    expect(await connection.closed()).toBeUndefined();
    await expect(connection.response()).rejects.toThrow('closed');
  });

  it('refuses a body that trickles in with 408, however steadily', async () => {
    const { url, token } = await serve(SLOW);
    const connection = await open(url);
    connection.send(create(token, '{', { 'Content-Length': '1000' }));
    const trickle = setInterval(() => {
      connection.send(' ');
    }, 20);
    cleanUps.push(() => {
      clearInterval(trickle);
    });

    expectError(await connection.response(), 40801);
  });

  it('lets go of a refused client that never closes its own side', async () => {
    const { url } = await serve(SLOW);
    const connection = await open(url, { allowHalfOpen: true });
    connection.send('POST /plants HTTP/1.1\r\n');
    expectError(await connection.response(), 40801);

    // Bytes sent to a socket that is no more are answered with a reset; one that is kept takes them.
    const knocking = setInterval(() => {
      connection.send('X');
    }, 20);
    cleanUps.push(() => {
      clearInterval(knocking);
    });

    expect(['ECONNRESET', 'EPIPE']).toContain(await connection.closed());
  });
});

describe('a header section over 16 KiB', () => {
  it.each([
    ['one long header', `X-Long: ${'x'.repeat(17_000)}\r\n`],
    ['many headers', Array.from({ length: 1000 }, (_, n) => `X-Many-${n}: xxxxxxxx\r\n`).join('')],
  ])('refuses %s with 431 and closes the connection', async (_case, headers) => {
    const { url } = await serve();
    const connection = await open(url);

    connection.send(`POST /plants HTTP/1.1\r\nHost: plants.example\r\n${headers}\r\n`);

    expectError(await connection.response(), 43101);
    expect(await connection.closed()).toBeUndefined();
  });

  it('refuses a target of that length with 431', async () => {
    const { url } = await serve();

    const response = await exchange(url, rawRequest(`GET /${'x'.repeat(17_000)} HTTP/1.1`, {}));

    expectError(response, 43101);
  });

  it('takes headers just below it', async () => {
    const { url, token } = await serve();

    const response = await exchange(url, create(token, FERN, { 'X-Long': 'x'.repeat(15_000) }));

    expect(response.status).toBe(200);
  });

  it('answers a client that goes on sending in such a way that it can read the 431', async () => {
    const { url } = await serve();
    const connection = await open(url);

    connection.send(`GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(MEBIBYTE)}`);

    expectError(await connection.response(), 43101);
  });
});

describe('what is not well-formed HTTP/1.1', () => {
  it.each([
    ['no HTTP at all', 'Hello, is this the plant store?\r\n\r\n'],
    ['the start of a TLS connection', Buffer.from('16030100c8010000c40303', 'hex')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown HTTP version', 'GET /healthz HTTP/7.3\r\nHost: a\r\n\r\n'],
    ['a request line without a version', 'GET /healthz\r\nHost: a\r\n\r\n'],
    ['a request line with HTTP/2', 'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['an unknown method', 'PLANT /plants HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    ['a space in a header name', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX Y: z\r\n\r\n'],
    ['a space before the colon', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Y : z\r\n\r\n'],
    ['a control character in a header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['no Host, and a body', `POST /plants HTTP/1.1\r\nContent-Length: 22\r\n\r\n${FERN}`],
  ])('refuses %s with 400 and closes the connection', async (_case, bytes) => {
    const { url } = await serve();
    const connection = await open(url);

    connection.send(bytes);

    expectError(await connection.response(), 40003);
    expect(await connection.closed()).toBeUndefined();
    await expect(connection.response()).rejects.toThrow('closed');
  });

  it.each([
    ['a size that is no number', 'xyz\r\n{}\r\n0\r\n\r\n'],
    ['a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a size over 64 bits', 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', `2\r\n${FERN}\r\n0\r\n\r\n`],
  ])('refuses a chunk with %s with 400, and stores nothing', async (_case, body) => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(create(service.token, body, { 'Transfer-Encoding': 'chunked' }));

    expectError(await connection.response(), 40003);
    expect(await connection.closed()).toBeUndefined();
    expect(storedIds(service)).toEqual([]);
  });

  it('lets go of a refused client that never closes its own side', async () => {
    const { url } = await serve();
    const connection = await open(url, { allowHalfOpen: true });
    connection.send('nonsense\r\n\r\n');
    expectError(await connection.response(), 40003);

    const knocking = setInterval(() => {
      connection.send('X');
    }, 20);
    cleanUps.push(() => {
      clearInterval(knocking);
    });

    expect(['ECONNRESET', 'EPIPE']).toContain(await connection.closed());
  });
});

describe('a body whose length can be read in two ways', () => {
  const CHUNKED = `16\r\n${FERN}\r\n0\r\n\r\n`;

  it.each([
    [
      'Content-Length and Transfer-Encoding',
      'Content-Length: 22\r\nTransfer-Encoding: chunked',
      CHUNKED,
    ],
    [
      'Transfer-Encoding and Content-Length',
      'Transfer-Encoding: chunked\r\nContent-Length: 22',
      CHUNKED,
    ],
    ['two lengths', 'Content-Length: 22\r\nContent-Length: 21', FERN],
    ['two lengths in one header', 'Content-Length: 22, 21', FERN],
    ['a length with a sign', 'Content-Length: +22', FERN],
    ['a hexadecimal length', 'Content-Length: 0x16', FERN],
    ['a length over 64 bits', 'Content-Length: 99999999999999999999999', FERN],
    ['an unknown transfer coding', 'Transfer-Encoding: xchunked', CHUNKED],
    ['chunked that is not the last coding', 'Transfer-Encoding: chunked, gzip', CHUNKED],
    ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', CHUNKED],
    ['a coding beside chunked', 'Transfer-Encoding: gzip, chunked', CHUNKED],
    ['a vertical tab before chunked', 'Transfer-Encoding: \vchunked', CHUNKED],
  ])('refuses %s with 400, and stores nothing', async (_case, framing, body) => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(
      'POST /plants HTTP/1.1\r\nHost: plants.example\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${service.token}\r\n${framing}\r\n\r\n${body}`,
    );

    expectError(await connection.response(), 40003);
    expect(await connection.closed()).toBeUndefined();
    await expect(connection.response()).rejects.toThrow('closed');
    expect(storedIds(service)).toEqual([]);
  });
});

describe('the request target', () => {
  it.each([
    ['a URL of another scheme', 'POST ftp://plants.example/plants HTTP/1.1'],
    ['a URL without a host', 'POST http:///plants HTTP/1.1'],
    ['a URL with nothing but a port', 'POST http://:80/plants HTTP/1.1'],
    ['a URL with a user', 'POST http://me@plants.example/plants HTTP/1.1'],
    ['a URL with a fragment', 'POST http://plants.example/plants#top HTTP/1.1'],
    ['a URL whose host is none', 'POST http://plants%zz/plants HTTP/1.1'],
    ['an asterisk', 'OPTIONS * HTTP/1.1'],
    ['a path with a fragment', 'POST /plants#top HTTP/1.1'],
    ['a path with a query and a fragment', 'POST /plants?a=b#top HTTP/1.1'],
    ['an authority', 'CONNECT plants.example:443 HTTP/1.1'],
  ])('refuses %s with 400', async (_case, requestLine) => {
    const service = await serve();

    const response = await exchange(
      service.url,
      rawRequest(
        requestLine,
        { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
        requestLine.startsWith('POST') ? FERN : '',
      ),
    );

    expectError(response, 40000);
    expect(storedIds(service)).toEqual([]);
  });
});

describe('a whole URL as the request target', () => {
  it.each([
    ['of the service', 'http://plants.example/plants', 200],
    ['of another authority', 'http://elsewhere.example:8080/plants', 200],
    ['by https', 'HTTPS://plants.example/plants', 200],
    ['by address', 'http://[::1]:80/plants', 200],
    ['in another spelling', 'http://plants.example/%70lants', 200],
    ['with a query', 'http://plants.example/plants?a=1', 400],
    ['of another path', 'http://plants.example//plants', 404],
    ['with a path that is a URL', 'http://plants.example/http://plants.example/plants', 404],
    ['without a path', 'http://plants.example', 404],
  ])('%s leads where its path and query lead', async (_case, target, status) => {
    const { url, token } = await serve();

    const response = await exchange(
      url,
      create(token, FERN).replace('POST /plants', `POST ${target}`),
      { check: undefined },
    );

    expect(response.status).toBe(status);
  });

  it('needs a Host all the same', async () => {
    const { url } = await serve();

    const response = await exchange(url, 'GET http://a/healthz HTTP/1.1\r\n\r\n');

    expectError(response, 40003);
  });

  it('is matched below the base path only', async () => {
    const service = await createTestApp({ config: { basePath: '/v1' } });
    cleanUps.push(() => service.close());
    const { url } = await listen(service.app, 30_000);
    const statusOf = async (target: string): Promise<number> => {
      const request = create(service.token, FERN).replace('POST /plants', `POST ${target}`);
      return (await exchange(url, request, { check: undefined })).status;
    };

    expect(await statusOf('http://a/v1/plants')).toBe(200);
    expect(await statusOf('http://a/plants')).toBe(404);
    expect(await statusOf('http://v1/plants')).toBe(404);
  });
});

describe('the Host', () => {
  it.each([
    '',
    'plants.example',
    'plants.example:3000',
    '[::1]:80',
    '127.0.0.1',
    'a_b.example:',
    '%C3%A9',
  ])('may be "%s"', async (host) => {
    const { url } = await serve();

    const response = await exchange(url, rawRequest('GET /healthz HTTP/1.1', { Host: host }));

    expect(response.status).toBe(200);
  });

  it.each([
    ['two of them', 'Host: a\r\nHost: b'],
    ['the same one twice', 'Host: a\r\nhOST: a'],
    ['one that is empty, and another', 'Host:\r\nHost: a'],
    ['a path in it', 'Host: a/b'],
    ['a user in it', 'Host: me@a'],
    ['two in one line', 'Host: a, b'],
    ['a port that is no number', 'Host: a:http'],
    ['a bracket left open', 'Host: [::1'],
    ['a percent sign that begins no encoding', 'Host: a%zz'],
  ])('refuses %s with 400 and closes the connection', async (_case, lines) => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(`GET /healthz HTTP/1.1\r\n${lines}\r\n\r\n${create(service.token, FERN)}`);

    expectError(await connection.response(), 40003);
    expect(await connection.closed()).toBeUndefined();
    expect(storedIds(service)).toEqual([]);
  });
});

describe('a header section of many lines', () => {
  const short = (count: number): string => 'a: b\r\n'.repeat(count);
  const withLines = (bytes: string, count: number): string =>
    bytes.replace('Authorization', `${short(count)}Authorization`);

  it('is taken whole up to 1,000 lines, with what counts as the last of them', async () => {
    const { url, token } = await serve();

    const response = await exchange(url, withLines(create(token, FERN), 990));

    expect(response.status).toBe(200);
  });

  it('is refused with 431 beyond, after the answers that are due, and nothing is stored', async () => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(
      rawRequest('GET /healthz HTTP/1.1', {}) + withLines(create(service.token, FERN), 1000),
    );

    expect((await connection.response()).status).toBe(200);
    expectError(await connection.response(), 43101);
    expect(await connection.closed()).toBeUndefined();
    expect(storedIds(service)).toEqual([]);
  });
});

describe('CONNECT', () => {
  it('does no harm where the client resets the connection after it', async () => {
    const { url } = await serve();
    const connection = await open(url, { allowHalfOpen: true });
    connection.send(rawRequest('CONNECT plants.example:443 HTTP/1.1', {}));
    expectError(await connection.response(), 40000);

    connection.reset();

    // The reset is on the wire before this, and nothing that it throws goes unseen in this process.
    const response = await exchange(url, rawRequest('GET /healthz HTTP/1.1', {}));
    expect(response.status).toBe(200);
  });
});

describe('Expect', () => {
  const EXPECT = { Expect: '100-continue' };

  it('says 100 to a client with a token, reads its body and answers 200', async () => {
    const service = await serve();
    const connection = await open(service.url);
    const [head = '', body = ''] = create(service.token, FERN, EXPECT).split(/(?<=\r\n\r\n)/);

    connection.send(head);
    const interim = await connection.response();
    connection.send(body);
    const final = await connection.response();

    expect([interim.status, final.status]).toEqual([100, 200]);
    expect(storedIds(service)).toEqual([1n]);
  });

  it('answers a client without a token 401, without a 100, and closes the connection', async () => {
    const { url } = await serve();
    const connection = await open(url);
    const [head = ''] = create('no-such-token', FERN, EXPECT).split(/(?<=\r\n\r\n)/);

    connection.send(head);

    const response = await connection.response();
    expectError(response, 40102);
    expect(response.headers.connection).toBe('close');
    expect(await connection.closed()).toBeUndefined();
  });

  it('answers a body that will be too large 413, without a 100', async () => {
    const { url, token } = await serve({ maxBodyBytes: 100 });
    const connection = await open(url);

    connection.send(create(token, '', { ...EXPECT, 'Content-Length': '101' }));

    expectError(await connection.response(), 41301);
  });

  it.each(['200-ok', '100-continue-please', 'a=b'])(
    'answers a create with the unknown expectation %s as one without',
    async (expectation) => {
      const { url, token } = await serve();

      const response = await exchange(url, create(token, FERN, { Expect: expectation }));

      expect(response.status).toBe(200);
    },
  );

  it('says no 100 to a client of HTTP/1.0, which would not understand it', async () => {
    const { url, token } = await serve();

    const response = await exchange(
      url,
      create(token, FERN, EXPECT).replace('HTTP/1.1', 'HTTP/1.0'),
    );

    expect(response.status).toBe(200);
  });
});

describe('a body over MAX_BODY_BYTES', () => {
  const LIMIT = { maxBodyBytes: 1000 };

  it('is refused with 413 as soon as its length is known', async () => {
    const { url, token } = await serve(LIMIT);

    const response = await exchange(url, create(token, '', { 'Content-Length': '1000000' }));

    expectError(response, 41301);
    expect(response.headers.connection).toBe('close');
  });

  it('is refused with 413, and nothing else, where the client then sends nothing', async () => {
    // The rest of the body is waited for in vain for longer than a request may take.
    const { url, token } = await serve({ ...LIMIT, requestTimeoutMs: 100 });
    const connection = await open(url);

    connection.send(create(token, '', { 'Content-Length': '1000000' }));

    expectError(await connection.response(), 41301);
    expect(await connection.closed()).toBeUndefined();
    await expect(connection.response()).rejects.toThrow('closed (no error)');
  });

  it.each([
    ['with a length', { 'Content-Length': String(2 * MEBIBYTE) }, ''],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, `${(2 * MEBIBYTE).toString(16)}\r\n`],
  ])(
    'is refused with a 413 that a client which goes on sending can read, %s',
    async (_case, headers, start) => {
      const { url, token } = await serve(LIMIT);
      const connection = await open(url);

      connection.send(create(token, start, headers));
      connection.send(Buffer.alloc(2 * MEBIBYTE, ' '));

      expectError(await connection.response(), 41301);
    },
  );

  it('is refused while it streams in, before its end', async () => {
    const { url, token } = await serve(LIMIT);
    const connection = await open(url);

    connection.send(
      create(token, `7d0\r\n${' '.repeat(1500)}`, { 'Transfer-Encoding': 'chunked' }),
    );

    expectError(await connection.response(), 41301);
  });

  it('does not cost a client that sends it to its end the connection, if it is small', async () => {
    const { url, token } = await serve(LIMIT);
    const connection = await open(url);

    connection.send(create(token, ' '.repeat(2000)));
    connection.send(create(token, FERN));

    expectError(await connection.response(), 41301);
    expect((await connection.response()).status).toBe(200);
  });

  it('gets one answer where its rest is not even well-formed', async () => {
    const { url, token } = await serve(LIMIT);
    const connection = await open(url);
    connection.send(
      create(token, `7d0\r\n${' '.repeat(2000)}`, { 'Transfer-Encoding': 'chunked' }),
    );
    expectError(await connection.response(), 41301);

    connection.send('nonsense');

    await connection.closed();
    await expect(connection.response()).rejects.toThrow('closed');
  });
});

describe('chunked trailers over 16 KiB', () => {
  it('are refused with 431, and nothing is stored', async () => {
    const service = await serve();
    const trailer = `X-Long: ${'x'.repeat(17_000)}\r\n\r\n`;

    const response = await exchange(
      service.url,
      create(service.token, `16\r\n${FERN}\r\n0\r\n${trailer}`, {
        'Transfer-Encoding': 'chunked',
      }),
    );

    expectError(response, 43101);
    expect(storedIds(service)).toEqual([]);
  });
});

describe('several requests on one connection', () => {
  it('are answered in their order, also when they are sent at once', async () => {
    const service = await serve();
    const connection = await open(service.url);
    const ids = Array.from({ length: 20 }, (_, n) => String(n));

    // Every third needs the store, the others are refused at different stages before it.
    connection.send(
      ids
        .map((id, n) => {
          const headers = { 'X-Request-Id': id };
          if (n % 3 === 0) return create(service.token, `{"id":${id},"name":"fern"}`, headers);
          if (n % 3 === 1) return create('no-such-token', FERN, headers);
          return rawRequest('GET /nothing HTTP/1.1', headers);
        })
        .join(''),
    );

    const answers = [];
    for (const id of ids) answers.push({ id, ...(await connection.response()) });
    expect(answers.map(({ status, headers }) => [headers['x-request-id'], status])).toEqual(
      ids.map((id, n) => [id, [200, 401, 404][n % 3]]),
    );
  });

  it('gives a create its own answer where what follows it is not HTTP', async () => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(`${create(service.token, FERN)}nonsense\r\n\r\n`);

    expect((await connection.response()).status).toBe(200);
    expectError(await connection.response(), 40003);
    expect(await connection.closed()).toBeUndefined();
    expect(storedIds(service)).toEqual([1n]);
  });

  it('never gives a create the answer to the broken body of the one after it', async () => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(
      create(service.token, FERN) +
        create(service.token, 'xyz\r\n', { 'Transfer-Encoding': 'chunked' }),
    );

    const first = await connection.response().catch(() => undefined);
    expect(first?.status).not.toBe(400);
    await connection.closed();
  });
});

describe('what comes behind the last answer of a connection', () => {
  it.each([
    ['a request without a Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    [
      'a transfer coding other than chunked',
      'POST /plants HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a client that asks to close',
      rawRequest('GET /healthz HTTP/1.1', { Connection: 'close' }),
      200,
    ],
    [
      'a client that asks for another protocol',
      rawRequest('GET /healthz HTTP/1.1', { Connection: 'Upgrade', Upgrade: 'websocket' }),
      200,
    ],
  ])('is not executed behind %s', async (_case, last, status) => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(last + create(service.token, FERN));

    expect((await connection.response()).status).toBe(status);
    expect(await connection.closed()).toBeUndefined();
    await expect(connection.response()).rejects.toThrow('closed');
    expect(storedIds(service)).toEqual([]);
  });

  it('is not executed where an Expect was answered with 401', async () => {
    const service = await serve();
    const connection = await open(service.url);
    const refused = create('no-such-token', FERN, { Expect: '100-continue' });

    connection.send(refused + create(service.token, '{"id":2,"name":"ivy"}'));

    expectError(await connection.response(), 40102);
    await connection.closed();
    await expect(connection.response()).rejects.toThrow('closed');
    expect(storedIds(service)).toEqual([]);
  });
});

describe('a client that ends its side right behind its requests', () => {
  it('gets its answer', async () => {
    const service = await serve();
    const connection = await open(service.url, { allowHalfOpen: true });

    connection.send(create(service.token, FERN));
    connection.end();

    expect((await connection.response()).status).toBe(200);
    expect(await connection.closed()).toBeUndefined();
    expect(storedIds(service)).toEqual([1n]);
  });

  it('gets all of its answers, and is let go', async () => {
    const service = await serve();
    const connection = await open(service.url, { allowHalfOpen: true });

    connection.send(create(service.token, FERN) + rawRequest('GET /healthz HTTP/1.1', {}));
    connection.end();

    expect((await connection.response()).status).toBe(200);
    expect((await connection.response()).text).toBe('{"status":"alive"}');
    expect(await connection.closed()).toBeUndefined();
  });

  it('is refused with 400 where the last of them is not whole', async () => {
    const service = await serve();
    const connection = await open(service.url, { allowHalfOpen: true });

    connection.send(
      create(service.token, FERN) + create(service.token, '{"id"', { 'Content-Length': '22' }),
    );
    connection.end();

    expect((await connection.response()).status).toBe(200);
    expectError(await connection.response(), 40003);
    expect(await connection.closed()).toBeUndefined();
    expect(storedIds(service)).toEqual([1n]);
  });
});

describe('a flood of requests on one connection', () => {
  const FLOOD = 5000;

  /** So many requests in one write. */
  function flood(count = FLOOD): string {
    const requests = Array.from({ length: count }, (_, n) =>
      rawRequest('GET /healthz HTTP/1.1', { 'X-Request-Id': String(n) }),
    );
    return requests.join('');
  }

  it('is answered, one after the other', async () => {
    const { url } = await serve();
    const connection = await open(url, { check: undefined });

    connection.send(flood());

    for (let n = 0; n < FLOOD; n++) {
      const { status, headers } = await connection.response();
      expect([status, headers['x-request-id']]).toEqual([200, String(n)]);
    }
  });

  it('does not hold up the request of another client', async () => {
    const { url } = await serve();
    const flooding = await open(url, { check: undefined });
    const other = await open(url);
    let answered = 0;
    flooding.send(flood());

    other.send(rawRequest('GET /healthz HTTP/1.1', {}));
    const first = await Promise.race([
      other.response().then(() => 'the other'),
      (async () => {
        while (answered < FLOOD) {
          await flooding.response();
          answered++;
        }
        return 'the flood';
      })(),
    ]);

    expect(first).toBe('the other');
    expect(answered).toBeLessThan(FLOOD);
  });

  it('leaves the connections that were open before it as they were, large bodies included', async () => {
    const service = await serve();
    const { url, token } = service;
    const before = await open(url);
    before.send(rawRequest('GET /healthz HTTP/1.1', {}));
    await before.response();
    const flooding = await open(url, { check: undefined });
    flooding.send(flood(200));
    await flooding.response();
    const name = 'x'.repeat(500_000);

    before.send(create(token, JSON.stringify({ id: 1, name })));
    const first = await before.response();
    before.send(create(token, FERN.replace('1', '2')));
    const second = await before.response();

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(storedIds(service)).toEqual([1n, 2n]);
  });
});

describe('a client that leaves', () => {
  it.each([
    [
      'resetting the connection',
      (connection: RawConnection) => {
        connection.reset();
      },
    ],
    [
      'ending it in the middle of its body',
      (connection: RawConnection) => {
        connection.end();
      },
    ],
  ])('is logged as gone, and the service goes on, after %s', async (_case, leave) => {
    const service = await serve();
    const connection = await open(service.url);
    const headers = { 'Content-Length': '22', 'X-Request-Id': 'leaving', Expect: '100-continue' };
    connection.send(create(service.token, '', headers));
    await connection.response();
    connection.send(FERN.slice(0, 10));

    leave(connection);

    const line = await eventually(() =>
      service.log.find(({ requestId }) => requestId === 'leaving'),
    );
    expect(line).toMatchObject({ isAborted: true, operationId: 'createPlant', msg: 'request' });
    expect(line).not.toHaveProperty('status');
    expect((await exchange(service.url, create(service.token, FERN))).status).toBe(200);
  });
});

describe('HTTP/1.0', () => {
  it('is served, and the connection closed after the answer', async () => {
    const service = await serve();
    const connection = await open(service.url);

    connection.send(create(service.token, FERN).replace('HTTP/1.1', 'HTTP/1.0'));

    expect(await connection.response()).toMatchObject({ status: 200, text: '{"name":"fern"}' });
    expect(await connection.closed()).toBeUndefined();
  });

  it('has no chunks, so that a body in chunks is refused with 400', async () => {
    const service = await serve();

    const response = await exchange(
      service.url,
      create(service.token, `16\r\n${FERN}\r\n0\r\n\r\n`, {
        'Transfer-Encoding': 'chunked',
      }).replace('HTTP/1.1', 'HTTP/1.0'),
    );

    expectError(response, 40003);
    expect(storedIds(service)).toEqual([]);
  });

  it('is served without a Host', async () => {
    const { url } = await serve();

    const response = await exchange(url, 'GET /healthz HTTP/1.0\r\n\r\n');

    expect(response.status).toBe(200);
  });
});

describe('createHttpServer', () => {
  it('makes requests and responses with the very prototypes that express would give them', async () => {
    const app = express();
    const seen: unknown[] = [];
    const look = (req: IncomingMessage, res: ServerResponse): void => {
      seen.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    };
    app.use((req, res) => {
      look(req, res);
      res.end();
    });
    const { url, server } = await listen(app, 30_000);
    server.prependListener('request', look);

    await exchange(url, rawRequest('GET / HTTP/1.1', {}), { check: undefined });

    expect(seen).toHaveLength(4);
    expect(seen[0]).toBe(app.request);
    expect(seen[1]).toBe(app.response);
    expect(seen.slice(2)).toEqual(seen.slice(0, 2));
  });

  it('makes requests and responses that still are those of node', async () => {
    const app = express();
    let classes: boolean[] = [];
    app.use((req, res) => {
      classes = [req instanceof IncomingMessage, res instanceof ServerResponse];
      res.end();
    });
    const { url } = await listen(app, 30_000);

    await exchange(url, rawRequest('GET / HTTP/1.1', {}), { check: undefined });

    expect(classes).toEqual([true, true]);
  });

  it('lets go of a client that does not read its answer', async () => {
    const app = express();
    app.use((_req, res) => res.end(Buffer.alloc(32 * MEBIBYTE)));
    const { url, server } = await listen(app, 100);
    const isClosed = new Promise((resolve) => {
      server.on('connection', (socket) => socket.once('close', resolve));
    });
    const client = openSocket(Number(new URL(url).port), '127.0.0.1');
    cleanUps.push(() => client.destroy());

    client.write(rawRequest('GET / HTTP/1.1', {}));

    await isClosed;
  });

  it('tells once when what arrived together has been served', async () => {
    const app = express();
    const events: string[] = [];
    app.use((req, res) => {
      events.push(req.url);
      res.end();
    });
    const { url } = await listen(app, 30_000, () => events.push('told'));
    const first = await open(url, { check: undefined });
    const second = await open(url, { check: undefined });

    first.send(rawRequest('GET /1 HTTP/1.1', {}));
    second.send(rawRequest('GET /2 HTTP/1.1', {}));
    await first.response();
    await second.response();

    expect(events).toEqual(['/1', '/2', 'told']);
  });

  it('keeps nothing of an exchange that is over, though its connection stays open', async () => {
    const app = express();
    const served: WeakRef<ServerResponse>[] = [];
    app.use((_req, res) => {
      served.push(new WeakRef(res));
      res.end();
    });
    const { url } = await listen(app, 30_000);
    const connection = await open(url, { check: undefined });

    connection.send(rawRequest('GET / HTTP/1.1', {}));
    await connection.response();

    expect(served).toHaveLength(1);
    await eventually(() => {
      collectGarbage();
      return served[0]?.deref() === undefined ? 'gone' : undefined;
    });
  });
});

/** What `--expose-gc` would give, without starting the tests with it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}
