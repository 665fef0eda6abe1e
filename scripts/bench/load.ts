/**
 * The load, in a process of its own: so many connections, on each of them one request at a time, each
 * a create of a plant with an id of its own. It knows no more HTTP than that needs, so that it isn't
 * the slower side.
 */
import { createConnection } from 'node:net';
import { readCpuMicros } from './cpu-time.js';

export interface LoadOptions {
  readonly port: number;
  readonly token: string;
  /** The server's process, whose processor time is read where the measurement begins and ends. */
  readonly pid: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicrosPerRequest: number;
  /** How much of one processor the server and this process used. */
  readonly serverCpu: number;
  readonly loaderCpu: number;
  /** Everything from here on includes the warm-up. */
  readonly answered: number;
  readonly refused: number;
}

/** All ids have as many digits, so that all requests have the same length. */
const FIRST_ID = 100_000_000;
const BEFORE_ID = '{"id":';
const AFTER_ID =
  ',"name":"monkey puzzle in the north garden","tag":"araucaria araucana, evergreen"}';

const options = JSON.parse(process.argv[2] ?? '') as LoadOptions;
const head = [
  'POST /plants HTTP/1.1',
  `Host: 127.0.0.1:${options.port}`,
  `Authorization: Bearer ${options.token}`,
  'Accept: application/json',
  'Content-Type: application/json',
  `Content-Length: ${`${BEFORE_ID}${FIRST_ID}${AFTER_ID}`.length}`,
  '',
  BEFORE_ID,
].join('\r\n');

let nextId = FIRST_ID;
let answered = 0;
let refused = 0;
let isMeasuring = false;
let isOver = false;
const latenciesMs: number[] = [];

/** Resolves when the load is over and the last request of this connection has been answered. */
function runConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port: options.port, host: '127.0.0.1', noDelay: true });
    let received = '';
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(`${head}${nextId++}${AFTER_ID}`, 'latin1');
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('data', (chunk: string) => {
      received = received === '' ? chunk : received + chunk;
      const end = responseEnd(received);
      if (end === undefined || received.length < end) return;
      if (received.length > end) reject(new Error('more came than the answer'));
      answered++;
      if (!received.startsWith('HTTP/1.1 200 ')) refused++;
      if (isMeasuring) latenciesMs.push(performance.now() - sentAt);
      received = '';
      if (isOver) socket.end(resolve);
      else send();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('the server closed a connection')); // which says nothing once it is resolved
    });
  });
}

const HEADERS_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;

/** Where the response ends that the text begins with; undefined while its headers are incomplete. */
function responseEnd(text: string): number | undefined {
  const headersEnd = text.indexOf(HEADERS_END);
  if (headersEnd === -1) return undefined;
  const length = CONTENT_LENGTH.exec(text)?.[1];
  if (length === undefined) throw new Error('an answer has no Content-Length');
  return headersEnd + HEADERS_END.length + Number(length);
}

async function measure(): Promise<LoadResult> {
  const connections = Array.from({ length: options.connections }, runConnection);
  // A connection that fails ends the run at once.
  const failure = Promise.all(connections);
  await Promise.race([failure, sleep(options.warmUpMs)]);

  const before = { at: performance.now(), server: readCpuMicros(options.pid), loader: ownCpu() };
  isMeasuring = true;
  await Promise.race([failure, sleep(options.measureMs)]);
  isMeasuring = false;
  const elapsedMicros = (performance.now() - before.at) * 1000;
  const serverMicros = readCpuMicros(options.pid) - before.server;
  const loaderMicros = ownCpu() - before.loader;

  isOver = true;
  await failure;
  latenciesMs.sort((a, b) => a - b);
  const count = latenciesMs.length;
  return {
    requestsPerSecond: count / (elapsedMicros / 1e6),
    p50Ms: latenciesMs[Math.floor(count * 0.5)] ?? NaN,
    p99Ms: latenciesMs[Math.floor(count * 0.99)] ?? NaN,
    cpuMicrosPerRequest: serverMicros / count,
    serverCpu: serverMicros / elapsedMicros,
    loaderCpu: loaderMicros / elapsedMicros,
    answered,
    refused,
  };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

console.log(JSON.stringify(await measure()));
