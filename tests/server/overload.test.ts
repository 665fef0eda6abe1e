import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import { eventually } from '../support/eventually.js';
import { expectError } from '../support/expect-error.js';
import { connect, rawCreate, rawRequest, type RawConnection } from '../support/raw-http.js';
import { listenOnFreePort, type Listening } from '../support/served-app.js';

const OVERLOADED = 50304;
const CREATE = rawCreate('any', '{"id":1,"name":"fern"}');

/** Those that the app has been given, in order; it leaves them to the test. */
let served: ServerResponse[];
let reported: number[];
let listening: Listening;
let connections: RawConnection[];

beforeEach(async () => {
  served = [];
  reported = [];
  connections = [];
  listening = await listenOnFreePort(recordingApp(), {
    requestTimeoutMs: 10_000,
    overload: {
      maxRequestsInFlight: 2,
      alwaysServed: ['/healthz'],
      onOverload: (refused) => reported.push(refused),
      headersOf: ({ headers }) => ['Access-Control-Allow-Origin', String(headers.origin)],
    },
  });
});

function recordingApp(): Express {
  return express()
    .disable('x-powered-by')
    .use((req, res) => {
      served.push(res);
      req.resume();
    });
}

afterEach(async () => {
  for (const connection of connections) connection.destroy();
  await listening.close();
});

async function open(): Promise<RawConnection> {
  const connection = await connect(listening.url);
  connections.push(connection);
  return connection;
}

async function send(request: string): Promise<RawConnection> {
  const connection = await open();
  connection.send(request);
  return connection;
}

async function untilServed(count: number): Promise<void> {
  await eventually(() => (served.length === count ? true : undefined));
}

function answer(index: number): void {
  served[index]
    ?.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 15 })
    .end('{"name":"fern"}');
}

describe('an HTTP server with as many requests in flight as it may have', () => {
  beforeEach(async () => {
    await send(CREATE);
    await send(CREATE);
    await untilServed(2);
  });

  it('refuses a further one with 503, and says when to try again', async () => {
    const refused = await (await send(CREATE)).response();

    expectError(refused, OVERLOADED);
    expect(refused.headers).toMatchObject({ 'retry-after': '2', connection: 'keep-alive' });
    expect(served).toHaveLength(2);
  });

  it('refuses with the headers by which the page that sent it may read the answer', async () => {
    const refused = await (
      await send(rawCreate('any', '{}', { Origin: 'https://app.example' }))
    ).response();

    expectError(refused, OVERLOADED);
    expect(refused.headers['access-control-allow-origin']).toBe('https://app.example');
  });

  it('still answers what is always served', async () => {
    const connection = await connect(listening.url, { check: undefined });
    connections.push(connection);
    connection.send(rawRequest('GET /healthz HTTP/1.1', {}));

    await untilServed(3);
    answer(2);

    expect((await connection.response()).status).toBe(200);
  });

  it('serves again once one of them has been answered', async () => {
    answer(0);
    await connections[0]?.response();

    await send(CREATE);

    await untilServed(3);
  });

  it('serves again once the client of one of them has left', async () => {
    connections[0]?.reset();
    await eventually(() => (served[0]?.closed === true ? true : undefined));

    await send(CREATE);

    await untilServed(3);
  });

  it('refuses a create whose body is still to come, and closes the connection', async () => {
    const connection = await send(rawCreate('any', '', { 'Content-Length': '1000000' }));

    const refused = await connection.response();

    expectError(refused, OVERLOADED);
    expect(refused.headers.connection).toBe('close');
  });

  it('reads no more from a refused client for a while', async () => {
    const refused = await send(CREATE);
    await refused.response();
    answer(0);
    answer(1);
    await Promise.all(connections.slice(0, 2).map((connection) => connection.response()));

    refused.send(CREATE);
    await send(CREATE);
    await untilServed(3);
    answer(2);

    await connections[3]?.response();
    await untilServed(4);
    answer(3);
    expect((await refused.response()).status).toBe(200);
  });

  it('says once how many were refused', async () => {
    await Promise.all([1, 2, 3].map(async () => (await send(CREATE)).response()));

    expect(await eventually(() => (reported.length > 0 ? reported : undefined))).toEqual([3]);
  });
});

describe('an HTTP server that has had as many requests in flight as it may have', () => {
  it('takes a quarter as many', async () => {
    await listening.close();
    listening = await listenOnFreePort(recordingApp(), {
      requestTimeoutMs: 10_000,
      overload: { maxRequestsInFlight: 8, alwaysServed: [], onOverload: () => undefined },
    });
    for (let n = 0; n < 8; n++) await send(CREATE);
    await untilServed(8);
    expectError(await (await send(CREATE)).response(), OVERLOADED);
    for (let n = 0; n < 6; n++) answer(n);
    await Promise.all(connections.slice(0, 6).map((connection) => connection.response()));

    expectError(await (await send(CREATE)).response(), OVERLOADED);
    answer(6);
    await connections[6]?.response();
    await send(CREATE);
    await untilServed(9);
  });
});

describe('a service whose errors have a media type of their own', () => {
  it('refuses with it', async () => {
    await listening.close();
    listening = await listenOnFreePort(express(), {
      requestTimeoutMs: 10_000,
      errorMediaType: 'application/problem+json',
      overload: { maxRequestsInFlight: 0, alwaysServed: [], onOverload: () => undefined },
    });
    const connection = await connect(listening.url, { check: undefined });
    connections.push(connection);

    connection.send(CREATE);

    expect((await connection.response()).headers['content-type']).toBe('application/problem+json');
  });
});

describe('a request whose body is slow', () => {
  it('is not in flight until its body has arrived', async () => {
    const slow = await Promise.all(
      [1, 2].map(() => send(rawCreate('any', '{"id":1', { 'Content-Length': '22' }))),
    );
    await untilServed(2);
    await send(CREATE);
    await send(CREATE);
    await untilServed(4);
    answer(2);
    answer(3);
    await Promise.all(connections.slice(2).map((connection) => connection.response()));

    for (const connection of slow) connection.send(',"name":"fern"}');
    await eventually(() =>
      served.slice(0, 2).every(({ req }) => req.complete) ? true : undefined,
    );

    expectError(await (await send(CREATE)).response(), OVERLOADED);
  });
});
