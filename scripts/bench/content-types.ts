/**
 * `npm run bench:content-types`: whether Content-Type headers that are never the same twice, or that
 * are long and malformed, leave the service's memory and speed as they were.
 */
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { readCommandLine } from '../command-line.js';
import { OURS } from './process/contestants.js';
import { readResidentMb } from './process/resident-memory.js';
import { startServer, type Server } from './process/server.js';

const REQUESTS = 5000;
const CONNECTIONS = 16;
const WARM_UP_ROUNDS = 4;

const plain = (): string => 'application/json';
const kinds: readonly (readonly [string, (n: number) => string])[] = [
  ['always application/json', plain],
  ['distinct parameters', (n) => `application/json; v="${n}"; x${n}=y`],
  ['malformed, 15 kB', (n) => `application/json; ${`;=${n}"`.repeat(15_000).slice(0, 15_000)}`],
  ['always application/json again', plain],
];

let nextId = 1;

function create(server: Server, agent: Agent, contentType: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        agent,
        host: '127.0.0.1',
        port: server.port,
        method: 'POST',
        path: '/plants',
        headers: { 'Content-Type': contentType, Authorization: `Bearer ${server.token}` },
      },
      (response) => {
        response.resume().once('end', () => {
          resolve(response.statusCode ?? 0);
        });
      },
    );
    sending.once('error', reject);
    sending.end(`{"id":${nextId++},"name":"fern"}`);
  });
}

/** Sends the requests of one kind; how many of each status came back, and how many a second. */
async function send(server: Server, contentTypeOf: (n: number) => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const statuses = new Map<number, number>();
  let sent = 0;
  const startedAt = performance.now();
  const work = async (): Promise<void> => {
    while (sent < REQUESTS) {
      const status = await create(server, agent, contentTypeOf(sent++));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  agent.destroy();
  return {
    statuses: [...statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
    perSecond: Math.round((REQUESTS * 1000) / (performance.now() - startedAt)),
  };
}

readCommandLine('usage: npm run bench:content-types', (args) => parseArgs({ args }));
const server = await startServer(OURS);
for (let round = 0; round < WARM_UP_ROUNDS; round++) await send(server, plain);
console.log(`${REQUESTS} requests of each kind, one after the other, in one process`);
for (const [kind, contentTypeOf] of kinds) {
  const { statuses, perSecond } = await send(server, contentTypeOf);
  console.log(
    `${kind}: ${statuses}; ${perSecond}/s; ${readResidentMb(server.pid).toFixed(0)} MB resident`,
  );
}
await server.stop();
