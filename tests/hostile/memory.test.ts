import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, rawCreate, rawRequest, type RawConnection } from '../support/raw-http.js';
import { startService, type Service } from '../support/service.js';
import { createMemoryGroup, type MemoryGroup } from './memory-group.js';

const LIMIT_MB = 256;
/** Of V8's heap, where nothing limits the whole: about what is left of the limit for it. */
const HEAP_MB = 128;
const FLOOD_SECONDS = 3;
const NESTED = `{"id":1,"name":"fern","x":[${'[],'.repeat(330_000)}[]]}`;
const LONG = `{"id":1,"name":"fern","x":"${'a'.repeat(1_000_000)}"}`;

let group: MemoryGroup | undefined;
let service: Service;
let connections: RawConnection[];

beforeEach(async () => {
  connections = [];
  group = createMemoryGroup(LIMIT_MB);
  if (group === undefined) {
    console.warn(
      `No process group with ${LIMIT_MB} MB can be made here; V8's heap has ${HEAP_MB} MB instead.`,
    );
    service = await startService({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
  } else service = await startService({}, undefined, undefined, group.launcher);
});

afterEach(async () => {
  for (const connection of connections) connection.destroy();
  await service.kill();
  await group?.remove();
});

async function open(): Promise<RawConnection> {
  const connection = await connect(service.url, { check: undefined });
  connections.push(connection);
  return connection;
}

/** What each connection got, or why it got nothing. */
async function sendAll(count: number, body: string): Promise<(number | string)[]> {
  const opened = await Promise.all(Array.from({ length: count }, open));
  for (const connection of opened) connection.send(rawCreate(service.token, body));
  const responses = await Promise.allSettled(opened.map((connection) => connection.response()));
  return responses.map((one) =>
    one.status === 'fulfilled' ? one.value.status : String(one.reason).slice(0, 80),
  );
}

/** It reads no answer. */
async function flood(): Promise<number[]> {
  const { port } = new URL(service.url);
  const request = rawCreate(service.token, '{"id":1,"name":"fern"}');
  const client = fork(new URL('flood.mjs', import.meta.url), [port, '200', 'deaf', request], {
    execArgv: [],
  });
  await once(client, 'message');
  await sleep(FLOOD_SECONDS * 1000);
  client.kill('SIGKILL');
  return [];
}

describe(`a service that may have ${LIMIT_MB} MB`, () => {
  it.each([
    ['200 connections that send creates without a pause and do not read', flood],
    ['200 bodies of 1 MB at once', () => sendAll(200, LONG)],
    ['24 bodies of 1 MB at once, of nested arrays', () => sendAll(24, NESTED)],
  ])('survives %s, and answers others', async (attack, run) => {
    let isOver = false;
    const health = async (): Promise<number> => {
      const connection = await open();
      let answers = 0;
      for (; !isOver; answers++) {
        connection.send(rawRequest('GET /healthz HTTP/1.1', {}));
        expect((await connection.response()).status).toBe(200);
      }
      return answers;
    };

    const asking = health();
    const statuses = await run();
    isOver = true;
    const answers = await asking;

    console.table({ [attack]: { answers, peakMb: group?.peakMb() } });
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(answers).toBeGreaterThan(0);
    expect(service.process.exitCode ?? service.process.signalCode).toBeNull();
    const { status } = await service.api.createPlant({ body: { id: 2n, name: 'oak' } });
    expect(status).toBe(200);
  });
});
