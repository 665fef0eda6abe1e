/**
 * `npm run bench:uploads`: uploads a second and memory, beside express-openapi-validator with multer,
 * which keeps files in memory or on disk before its handler is called.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { KINDS, type Kind } from './upload-server.js';

const CONNECTIONS = 8;
const ROUNDS = 3;

const { values } = parseArgs({
  options: {
    'measure-ms': { type: 'string', default: '2000' },
    bytes: { type: 'string' },
    once: { type: 'string' },
  },
});
const measureMs = Number(values['measure-ms']);
const sizes = values.bytes === undefined ? [1024, 102_400, 10_485_760] : [Number(values.bytes)];

interface Server {
  readonly port: number;
  readonly child: ChildProcess;
}

async function startServer(kind: Kind): Promise<Server> {
  const child = fork(new URL('./upload-server.ts', import.meta.url), [kind]);
  const [port] = (await once(child, 'message')) as [number];
  return { port, child };
}

/** The most memory that a process has had so far, in MB. */
function peakMb({ child }: Server): number {
  const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

const begin = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nfilm\r\n' +
    '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\nContent-Type: video/mp4\r\n\r\n',
);
const end = Buffer.from('\r\n--b--\r\n');
const chunk = Buffer.alloc(65_536, 'a');

/** Uploads a file of so many bytes; resolves with the status of the answer. */
async function upload(port: number, agent: Agent, bytes: number): Promise<number | undefined> {
  const sending = request({
    agent,
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/files',
    headers: {
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': begin.length + bytes + end.length,
    },
  });
  const answered = once(sending, 'response') as Promise<
    [{ statusCode?: number; resume: () => void }]
  >;
  sending.write(begin);
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!sending.write(chunk.subarray(0, Math.min(left, chunk.length)))) {
      await once(sending, 'drain');
    }
  }
  sending.end(end);
  const [response] = await answered;
  response.resume();
  return response.statusCode;
}

/** Uploads a second, of files of this size, on all connections. */
async function measure({ port }: Server, bytes: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startedAt = performance.now();
  let count = 0;
  const work = async (): Promise<void> => {
    while (performance.now() - startedAt < measureMs) {
      const status = await upload(port, agent, bytes);
      if (status !== 204) throw new Error(`answered with ${String(status)}`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return count / seconds;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/** One upload of this size to a server of ours, and by how much its memory grew. */
async function measureGrowth(bytes: number): Promise<void> {
  for (const kind of ['ours', 'ours, spooled'] as const) {
    const server = await startServer(kind);
    const agent = new Agent();
    await upload(server.port, agent, 1_000_000);
    const before = peakMb(server);
    const startedAt = performance.now();
    const status = await upload(server.port, agent, bytes);
    const seconds = (performance.now() - startedAt) / 1000;
    const growth = peakMb(server) - before;
    console.log(
      `${kind}: ${bytes} bytes in ${seconds.toFixed(1)} s, answered ${String(status)}; the process grew by ${growth.toFixed(0)} MB`,
    );
    server.child.kill();
  }
}

async function compare(): Promise<void> {
  console.log(`${CONNECTIONS} connections, medians of ${ROUNDS} rounds, a new process each`);
  for (const bytes of sizes) {
    const rates = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
    const peaks = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of KINDS) {
        const server = await startServer(kind);
        await measure(server, bytes);
        rates.get(kind)?.push(await measure(server, bytes));
        peaks.get(kind)?.push(peakMb(server));
        server.child.kill();
      }
    }
    for (const kind of KINDS) {
      const rate = median(rates.get(kind) ?? []);
      const peak = median(peaks.get(kind) ?? []);
      console.log(`${bytes} bytes, ${kind}: ${rate.toFixed(1)}/s, ${peak.toFixed(0)} MB at most`);
    }
  }
}

if (values.once === undefined) await compare();
else await measureGrowth(Number(values.once));
