import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { rawCreate } from '../support/raw-http.js';
import { createFolder, startService, type Service } from '../support/service.js';

/** `npm run test:soak` says more. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 20);
/** Before the first look: V8's machine code and the young objects' space have their size by then. */
const WARM_UP_SECONDS = Math.max(10, SECONDS / 10);
const CLIENTS = 16;

/** What `monitor.mjs` says. */
interface Figures {
  readonly rssMb: number;
  readonly heapMb: number;
  readonly descriptors: number;
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

let service: Service;

afterEach(() => service.kill());

it(
  `uses no more memory and no more descriptors after ${SECONDS} s of everything that clients do`,
  async () => {
    const folder = createFolder();
    const monitorFile = join(folder, 'figures');
    service = await startService(
      {
        NODE_OPTIONS: `--import=${new URL('monitor.mjs', import.meta.url).href}`,
        MONITOR_FILE: monitorFile,
      },
      folder,
    );
    // A line for each request would fill this process.
    const forgetting = setInterval(() => (service.log.length = 0), 100);
    const look = async (): Promise<Figures> => {
      service.process.kill('SIGUSR2');
      await eventually(() => (existsSync(monitorFile) ? true : undefined));
      const figures = JSON.parse(readFileSync(monitorFile, 'utf8')) as Figures;
      rmSync(monitorFile);
      return figures;
    };

    const idle = await look();
    await putLoad(WARM_UP_SECONDS);
    const before = await look();
    const requests = await putLoad(SECONDS);
    const after = await look();
    await eventually(async () =>
      (await look()).descriptors <= idle.descriptors ? true : undefined,
    );
    clearInterval(forgetting);

    console.table({ idle, before, after });
    console.log(`${requests} requests`);
    expect(after.heapMb).toBeLessThan(1.5 * before.heapMb);
    expect(after.rssMb).toBeLessThan(1.25 * before.rssMb);
  },
  (WARM_UP_SECONDS + SECONDS + 60) * 1000,
);

let nextId = 0n;

/** All that is done to the service, one kind after the other on each client. */
const DEEDS: readonly ((agent: Agent) => Promise<void>)[] = [
  (agent) => send(agent, 200, `{"id":${nextId++},"name":"fern"}`),
  (agent) => send(agent, 200, `{"id":${nextId++},"name":"fern","tag":"${'a'.repeat(10_000)}"}`),
  (agent) => send(agent, 200, `{"id":-1,"name":"fern"}`),
  (agent) => send(agent, 409, `{"id":-1,"name":"oak"}`),
  (agent) => send(agent, 400, `{"id":${nextId++},"name":`),
  (agent) => send(agent, 400, `{"id":"${nextId++}","name":1}`),
  (agent) => send(agent, 401, '{}', { Authorization: `Bearer ${nextId++}` }),
  (agent) => send(agent, 415, '{}', { 'Content-Type': `text/x-${nextId++}` }),
  (agent) => send(agent, 413, 'x'.repeat(1_100_000)),
  (agent) => send(agent, 404, '{}', {}, `/nothing/${nextId++}`),
  (agent) => send(agent, 400, '{}', {}, `/plants?x${nextId++}=1`),
  () => sendRaw('GET nonsense\r\n\r\n'),
  () => sendRaw(rawCreate('wrong', '{}')),
  // It leaves in the middle of its body.
  () =>
    sendRaw(rawCreate(service.token, '{"id":1').replace('Content-Length: 7', 'Content-Length: 99')),
  () => sendRaw('POST /plants HTTP/1.1\r\n'),
  () => sendRaw(''),
];

/** Resolves with the number of requests that were sent meanwhile. */
async function putLoad(seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  let sent = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; performance.now() < until; n++, sent++) {
        await DEEDS[n % DEEDS.length]?.(agent);
      }
    }),
  );
  agent.destroy();
  return sent;
}

function send(
  agent: Agent,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  path = '/plants',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const req = request(new URL(path, service.url), {
      agent,
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.token}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      res.resume().on('end', () => {
        if (res.statusCode === status) resolve();
        else reject(new Error(`${path} ${body.slice(0, 80)}: ${res.statusCode}, not ${status}`));
      });
    });
    req.end(body);
  });
}

/** Sends bytes on a connection of its own, and breaks it. */
function sendRaw(bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', reject).on('close', () => {
      resolve();
    });
    socket.on('connect', () => {
      socket.write(bytes, () => socket.resetAndDestroy());
    });
  });
}
