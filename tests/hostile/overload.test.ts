import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import express from 'express';
import { storedPlants } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { connect, rawCreate, rawRequest, type RawConnection } from '../support/raw-http.js';
import { listenOnFreePort } from '../support/served-app.js';
import { startService, type Service } from '../support/service.js';

const CONNECTIONS = 500;
const CREATES_EACH = 4;
const IN_FLIGHT = 50;
/** How many creates may be answered while a request for health waits: one for each connection. */
const MAX_OVERTAKEN = CONNECTIONS + IN_FLIGHT;

let service: Service;

beforeEach(async () => {
  service = await startService({ MAX_REQUESTS_IN_FLIGHT: String(IN_FLIGHT) });
});

afterEach(async () => {
  await service.kill();
});

it('answers ten times as many clients as it may serve at once, and every question for health', async () => {
  const answers = new Map<string, number>();
  let answered = 0;
  let isOver = false;
  let nextId = 1;

  async function load(): Promise<void> {
    const connection = await connect(service.url, { check: undefined });
    for (let sent = 0; sent < CREATES_EACH; sent++) {
      connection.send(rawCreate(service.token, `{"id":${nextId++},"name":"fern"}`));
      const { status, headers, text } = await connection.response();
      const key = `${status} ${headers['retry-after'] ?? ''} ${text}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      answered++;
    }
    connection.destroy();
  }

  async function probe(): Promise<number[]> {
    const connection = await connect(service.url, { check: undefined });
    const overtaken: number[] = [];
    while (!isOver) {
      const before = answered;
      connection.send(rawRequest('GET /healthz HTTP/1.1', {}));
      expect((await connection.response()).status).toBe(200);
      overtaken.push(answered - before);
    }
    connection.destroy();
    return overtaken;
  }

  const probing = probe();
  await Promise.all(Array.from({ length: CONNECTIONS }, load));
  isOver = true;
  const overtaken = await probing;
  const good = answers.get('200  {"name":"fern"}') ?? 0;
  const refused =
    answers.get(
      '503 2 {"error":50304,"message":"too many requests are waiting; nothing was changed"}',
    ) ?? 0;

  expect(good + refused).toBe(CONNECTIONS * CREATES_EACH);
  expect(good).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
  expect(storedPlants(`${service.folder}/plants.db`)).toHaveLength(good);
  expect(Math.max(...overtaken)).toBeLessThanOrEqual(MAX_OVERTAKEN);
  const logged = (): number =>
    service.log.reduce(
      (sum, line) => sum + (typeof line.refused === 'number' ? line.refused : 0),
      0,
    );
  await eventually(() => (logged() === refused ? true : undefined));
}, 30_000);

it('lets as many wait as ever, some seconds after more than that have come', async () => {
  const held: ServerResponse[] = [];
  const holdingApp = express().use((_req, res) => {
    held.push(res);
  });
  const listening = await listenOnFreePort(holdingApp, {
    requestTimeoutMs: 10_000,
    overload: { maxRequestsInFlight: 4, alwaysServed: [], onOverload: () => undefined },
  });
  const connections: RawConnection[] = [];
  const send = async (): Promise<RawConnection> => {
    const connection = await connect(listening.url, { check: undefined });
    connections.push(connection);
    connection.send(rawRequest('GET / HTTP/1.1', {}));
    return connection;
  };
  for (let n = 0; n < 4; n++) await send();
  await eventually(() => (held.length === 4 ? true : undefined));
  await (await send()).response();
  for (const res of held.splice(1)) res.end();
  await Promise.all(connections.slice(1, 4).map((connection) => connection.response()));

  const justAfter = await (await send()).response();

  expect(justAfter.status).toBe(503);
  await eventually(async () => {
    await send();
    return held.length > 1 ? true : undefined;
  }, 10_000);
  for (const connection of connections) connection.destroy();
  await listening.close();
});
