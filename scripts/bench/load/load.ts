/**
 * The load, in a process of its own: so many connections, on each of them one request at a time, each
 * a create of a plant with an id of its own. It knows no more HTTP than that needs, so that it isn't
 * the slower side.
 */
import { EventEmitter, once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuMicros } from '../process/cpu-time.js';
import { readResidentMb } from '../process/resident-memory.js';
import { createPlantRequest, type PlantRequestOptions } from './plant-request.js';
import { responseEnd } from './response-end.js';

export interface LoadOptions extends PlantRequestOptions {
  /** The server's process, whose processor time is read where the measurement begins and ends. */
  readonly pid: number;
  readonly connections: number;
  /** From the first answer on, which takes long where a program prepares itself for it. */
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** How many requests this server has had before, whose ids aren't to be used again. */
  readonly earlierRequests?: number;
  /** The load ends earlier where so many requests have been answered. */
  readonly maxRequests?: number;
  /** How many answers a checkpoint comes after. */
  readonly checkpointEvery?: number;
}

/** How far it has come, and what it has taken since the load began. */
export interface Checkpoint {
  readonly answered: number;
  readonly seconds: number;
  readonly cpuMicros: number;
  readonly residentMb: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly cpuMicrosPerRequest: number;
  /** The server's memory when the measurement ended. */
  readonly residentMb: number;
  /** How much of one processor the server and this process used. */
  readonly serverCpu: number;
  readonly loaderCpu: number;
  /** Everything from here on includes the warm-up. */
  readonly answered: number;
  readonly refused: number;
  readonly checkpoints: readonly Checkpoint[];
}

const options = JSON.parse(process.argv[2] ?? '') as LoadOptions;
const { earlierRequests = 0, maxRequests = Infinity, checkpointEvery = Infinity } = options;
const requestOf = createPlantRequest(options);

let sent = 0;
let answered = 0;
let refused = 0;
let isMeasuring = false;
let isOver = false;
const milestones = new EventEmitter();
const firstAnswer = once(milestones, 'first');
const maximumReached = once(milestones, 'maximum');
const latenciesMs: number[] = [];
const checkpoints: Checkpoint[] = [];
const startedAt = performance.now();
const cpuAtStart = readCpuMicros(options.pid);

function takeCheckpoint(): void {
  checkpoints.push({
    answered,
    seconds: (performance.now() - startedAt) / 1000,
    cpuMicros: readCpuMicros(options.pid) - cpuAtStart,
    residentMb: readResidentMb(options.pid),
  });
}

function countAnswer(isGood: boolean, latencyMs: number): void {
  answered++;
  if (!isGood) refused++;
  if (isMeasuring) latenciesMs.push(latencyMs);
  if (answered % checkpointEvery === 0) takeCheckpoint();
  if (answered === 1) milestones.emit('first');
  if (answered === maxRequests) milestones.emit('maximum');
}

/** Resolves when the load is over and the last request of this connection has been answered. */
function runConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port: options.port, host: '127.0.0.1', noDelay: true });
    let received = '';
    let end: number | undefined;
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(requestOf(earlierRequests + sent++), 'latin1');
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('data', (chunk: string) => {
      received = received === '' ? chunk : received + chunk;
      end ??= responseEnd(received);
      if (end === undefined || received.length < end) return;
      if (received.length > end) reject(new Error('more came than the answer'));
      countAnswer(received.startsWith('HTTP/1.1 200 '), performance.now() - sentAt);
      received = '';
      end = undefined;
      if (isOver) socket.end(resolve);
      else send();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('the server closed a connection')); // which says nothing once it is resolved
    });
  });
}

async function measure(): Promise<LoadResult> {
  // A connection that fails ends the run at once.
  const failure = Promise.all(Array.from({ length: options.connections }, runConnection));
  await Promise.race([failure, firstAnswer]);
  await Promise.race([failure, sleep(options.warmUpMs)]);

  const before = { at: performance.now(), server: readCpuMicros(options.pid), loader: ownCpu() };
  isMeasuring = true;
  const timer = new AbortController();
  const timeIsUp = sleep(options.measureMs, undefined, { signal: timer.signal }).catch(() => null);
  await Promise.race([failure, maximumReached, timeIsUp]);
  timer.abort();
  isMeasuring = false;
  const elapsedMicros = (performance.now() - before.at) * 1000;
  const serverMicros = readCpuMicros(options.pid) - before.server;
  const loaderMicros = ownCpu() - before.loader;
  const residentMb = readResidentMb(options.pid);

  isOver = true;
  await failure;
  const count = latenciesMs.length;
  const sorted = Float64Array.from(latenciesMs).sort();
  const quantile = (share: number): number => sorted[Math.floor(count * share)] ?? NaN;
  return {
    requestsPerSecond: count / (elapsedMicros / 1e6),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    p999Ms: quantile(0.999),
    cpuMicrosPerRequest: serverMicros / count,
    residentMb,
    serverCpu: serverMicros / elapsedMicros,
    loaderCpu: loaderMicros / elapsedMicros,
    answered,
    refused,
    checkpoints,
  };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

console.log(JSON.stringify(await measure()));
