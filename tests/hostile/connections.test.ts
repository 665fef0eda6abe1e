import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { connect, rawCreate, rawRequest, type RawConnection } from '../support/raw-http.js';
import { startService, type Service } from '../support/service.js';
import { describeWith } from './tool.js';

const FLOOD_SECONDS = 5;
const FLOODING_CONNECTIONS = 200;
const HEALTH = rawRequest('GET /healthz HTTP/1.1', {});
/** The shortest request there is. */
const SHORTEST = 'GET / HTTP/1.1\r\nHost:\r\n\r\n';

let service: Service;
let cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) cleanUp();
  cleanUps = [];
  await service.kill();
});

async function open(): Promise<RawConnection> {
  const connection = await connect(service.url, { check: undefined });
  cleanUps.push(() => {
    connection.destroy();
  });
  return connection;
}

/** A line for each request would fill this process. */
function keepLogShort(): void {
  const forgetting = setInterval(() => (service.log.length = 0), 100);
  cleanUps.push(() => {
    clearInterval(forgetting);
  });
}

function residentMb(): number {
  const status = readFileSync(`/proc/${service.process.pid ?? 0}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Asks again and again until the time is over, on one connection or on a new one each time. */
async function probe(isOver: () => boolean, isNewEachTime: boolean): Promise<number[]> {
  const delaysMs: number[] = [];
  let connection = await open();
  while (!isOver()) {
    const startedAt = performance.now();
    if (isNewEachTime) connection = await open();
    connection.send(HEALTH);
    expect((await connection.response()).status).toBe(200);
    delaysMs.push(performance.now() - startedAt);
    if (isNewEachTime) connection.destroy();
  }
  return delaysMs.sort((one, other) => one - other);
}

function percentile(sorted: readonly number[], percent: number): number {
  return Math.round(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? NaN);
}

/** Another process that is a client; resolves once it has begun, or has opened its connections. */
async function startClient(
  script: string,
  connections: number,
  ...args: string[]
): Promise<ChildProcess> {
  const { port } = new URL(service.url);
  const client = fork(new URL(script, import.meta.url), [port, String(connections), ...args], {
    execArgv: [],
  });
  cleanUps.push(() => client.kill('SIGKILL'));
  await once(client, 'message');
  return client;
}

describe('200 connections that send requests back to back', () => {
  it.each([
    ['without a token, not reading', 'deaf', false],
    ['without a token, reading', '', false],
    ['with a token, not reading', 'deaf', true],
    ['with a token, reading', '', true],
    ['after a first request like anybody’s', 'polite', false],
  ])(
    'neither take the memory of a heap of 400 MB nor hold up others: %s',
    async (name, manner, hasToken) => {
      service = await startService({ NODE_OPTIONS: '--max-old-space-size=400' });
      keepLogShort();
      const request = hasToken ? rawCreate(service.token, '{"id":1,"name":"fern"}') : SHORTEST;
      const idleMb = residentMb();
      let isOver = false;
      let peakMb = 0;

      const probes = [probe(() => isOver, false), probe(() => isOver, true)];
      await startClient('flood.mjs', FLOODING_CONNECTIONS, manner, request);
      const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb())), 20);
      cleanUps.push(() => {
        clearInterval(watch);
      });
      await new Promise((resolve) => setTimeout(resolve, FLOOD_SECONDS * 1000));
      isOver = true;
      const [old = [], fresh = []] = await Promise.all(probes);

      console.table({
        [name]: {
          idleMb: Math.round(idleMb),
          peakMb: Math.round(peakMb),
          answers: old.length,
          p50: percentile(old, 50),
          p99: percentile(old, 99),
          newP50: percentile(fresh, 50),
          newP99: percentile(fresh, 99),
        },
      });
      expect(service.process.exitCode).toBeNull();
      expect(peakMb).toBeLessThan(1.5 * idleMb + FLOODING_CONNECTIONS);
      // With one in five seconds of them it would be 5.
      expect(old.length).toBeGreaterThan(50);
      expect(fresh.length).toBeGreaterThan(50);
    },
  );
});

describe('10,000 connections on which nothing is said', () => {
  it('cost some memory, and others are answered as ever', async () => {
    service = await startService();
    const idleMb = residentMb();
    await startClient('silence.mjs', 10_000);

    const connection = await open();
    connection.send(HEALTH);

    expect((await connection.response()).status).toBe(200);
    console.log(`${Math.round(((residentMb() - idleMb) * 1024) / 10_000)} KiB for each`);
    expect(residentMb() - idleMb).toBeLessThan(200);
  });
});

describeWith('prlimit')('more connections than descriptors', () => {
  it('are not served until there are some, and the service goes on', async () => {
    service = await startService();
    const { pid } = service.process;
    expect(spawnSync('prlimit', ['--pid', String(pid), '--nofile=64']).status).toBe(0);
    const before = await open();
    const silent = await startClient('silence.mjs', 200);

    before.send(HEALTH);
    const during = await before.response();
    const cpuBefore = cpuTicks();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const ticksInASecond = cpuTicks() - cpuBefore;
    silent.kill('SIGKILL');
    const after = await eventually(async () => {
      const connection = await open();
      connection.send(HEALTH);
      return connection.response().catch(() => undefined);
    });

    expect([during.status, after.status]).toEqual([200, 200]);
    // It doesn't spin on what it can't accept: of 100 ticks in a second.
    expect(ticksInASecond).toBeLessThan(50);
  });
});

/** Processor time so far, of which there are 100 ticks a second. */
function cpuTicks(): number {
  const stat = readFileSync(`/proc/${service.process.pid ?? 0}/stat`, 'utf8');
  const [user, system] = (stat.split(') ')[1] ?? '').split(' ').slice(11, 13);
  return Number(user) + Number(system);
}

describe('500 clients that write a byte now and then', () => {
  it('are refused with 408 when their time is over, and others are answered meanwhile', async () => {
    service = await startService({ REQUEST_TIMEOUT_MS: '1000' });
    const slow = await Promise.all(Array.from({ length: 500 }, open));
    const trickle = setInterval(() => {
      for (const connection of slow) connection.send('x');
    }, 50);
    cleanUps.push(() => {
      clearInterval(trickle);
    });
    for (const connection of slow) connection.send('GET /healthz HTTP/1.1\r\nX-Slow: ');
    const other = await open();
    other.send(HEALTH);

    expect((await other.response()).status).toBe(200);
    const refusals = await Promise.all(slow.map((connection) => connection.response()));
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([408]));
  });
});

describe('odd bytes', () => {
  it.each([
    ['long chunk extensions', `1;${'e'.repeat(20_000)}\r\n{\r\n`, [400, 413]],
    [
      'many small chunk extensions',
      `${`1;a=${'b'.repeat(1000)}\r\n \r\n`.repeat(20)}0\r\n\r\n`,
      [400, 413],
    ],
    ['ten thousand trailers', `0\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, [400, 431]],
  ])('in a body are refused: %s', async (_case, body, statuses) => {
    service = await startService();
    const connection = await open();

    connection.send(rawCreate(service.token, body, { 'Transfer-Encoding': 'chunked' }));

    expect(statuses).toContain((await connection.response()).status);
  });

  it('in a header name are refused, every one that is no token', async () => {
    service = await startService();
    const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]$/;
    const odd = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter(
      // A colon, and the end of a line, make another header of it.
      (character) => !token.test(character) && !':\r\n'.includes(character),
    );

    const statuses = [];
    for (const character of odd) {
      const connection = await open();
      connection.send(
        Buffer.from(`GET /healthz HTTP/1.1\r\nHost: a\r\nX${character}Y: z\r\n\r\n`, 'latin1'),
      );
      statuses.push((await connection.response()).status);
      connection.destroy();
    }

    expect(new Set(statuses)).toEqual(new Set([400]));
  });
});
