/**
 * A load that doesn't wait for answers, in a process of its own: creates fall due at a fixed rate, and
 * each takes the connection that has been free for longest. Where none is free, the request is not
 * sent, as a proxy refuses what it has no connection for. Latencies count from when a request was due.
 */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { readCpuMicros } from '../process/cpu-time.js';
import { summarise, type Latencies } from './latencies.js';
import { createPlantRequest } from './plant-request.js';
import { Queue } from './queue.js';
import { responseEnd } from './response-end.js';
import type { Target } from './target-load.js';

export interface OpenLoadOptions extends Target {
  readonly requestsPerSecond: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Whether a connection that is told to try again later isn't used until then. */
  readonly isPatient: boolean;
  /** How many requests this server has had before, whose ids aren't to be used again. */
  readonly earlierRequests: number;
}

/** What was measured after the warm-up. */
export interface OpenLoadResult {
  readonly seconds: number;
  /** How many requests fell due, */
  readonly due: number;
  /** and of those, how many found no connection free. */
  readonly unsent: number;
  readonly good: Latencies;
  /** Answered with 503 and `Retry-After`. */
  readonly shed: Latencies;
  /** Answered in another way, or not at all because the connection was closed. */
  readonly failed: number;
  readonly health: Latencies;
  /** How much of one processor the server and this process used. */
  readonly serverCpu: number;
  readonly loaderCpu: number;
}

const HEALTH_EVERY_MS = 20;
/** How many requests are sent before answers are looked at. */
const MAX_BURST = 100;
/**
 * How long this process sleeps where nothing is due: one that doesn't takes a processor to itself, and the
 * server's other threads need it too. No timer of the event loop is as short.
 */
const NAP_MS = 0.2;
const NAP = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const RETRY_AFTER = /\r\nretry-after: *(\d+)\r\n/i;
const HEALTH_REQUEST = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** Calls `onAnswer` with every answer, and with an empty one when the connection is closed. */
async function open(port: number, onAnswer: (answer: string) => void): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    const end = responseEnd(received);
    if (end === undefined || received.length < end) return;
    const answer = received;
    received = '';
    onAnswer(answer);
  });
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.on('close', () => {
    onAnswer('');
  });
  return socket;
}

async function run(options: OpenLoadOptions): Promise<OpenLoadResult> {
  const { port, requestsPerSecond, connections, warmUpMs, measureMs, isPatient } = options;
  const requestOf = createPlantRequest({ ...options, bodyBytes: 100, ids: 'ascending' });
  const goodMs: number[] = [];
  const shedMs: number[] = [];
  const healthMs: number[] = [];
  const free = new Queue<Client>();
  let isMeasuring = false;
  let due = 0;
  let sent = options.earlierRequests;
  let unsent = 0;
  let failed = 0;

  class Client {
    #socket: Socket | undefined;
    #dueAt: number | undefined;

    async connect(): Promise<void> {
      this.#socket = await open(port, (answer) => {
        this.#receive(answer);
      });
      free.push(this);
    }

    send(dueAt: number): void {
      this.#dueAt = dueAt;
      this.#socket?.write(requestOf(sent++), 'latin1');
    }

    #receive(answer: string): void {
      const latencyMs = performance.now() - (this.#dueAt ?? NaN);
      const isUnderWay = this.#dueAt !== undefined;
      this.#dueAt = undefined;
      const retryAfter = answer.startsWith('HTTP/1.1 503 ')
        ? RETRY_AFTER.exec(answer)?.[1]
        : undefined;
      if (isMeasuring && isUnderWay) {
        if (answer.startsWith('HTTP/1.1 200 ')) goodMs.push(latencyMs);
        else if (retryAfter !== undefined) shedMs.push(latencyMs);
        else failed++;
      }
      if (answer === '') void this.connect();
      else if (retryAfter === undefined || !isPatient) free.push(this);
      else
        setTimeout(
          () => {
            free.push(this);
          },
          Number(retryAfter) * 1000,
        );
    }
  }

  for (let opened = 0; opened < connections; opened += MAX_BURST) {
    const count = Math.min(MAX_BURST, connections - opened);
    await Promise.all(Array.from({ length: count }, () => new Client().connect()));
  }
  let healthDueAt: number | undefined;
  const health = await open(port, () => {
    if (isMeasuring) healthMs.push(performance.now() - (healthDueAt ?? NaN));
    healthDueAt = undefined;
  });

  const startedAt = performance.now();
  const measuredAt = startedAt + warmUpMs;
  let dueBefore = 0;
  let cpuBefore = readCpu(options);
  let nextHealthAt = startedAt;
  for (let now = startedAt; now < measuredAt + measureMs; now = performance.now()) {
    if (!isMeasuring && now >= measuredAt) {
      isMeasuring = true;
      dueBefore = due;
      cpuBefore = readCpu(options);
      unsent = 0;
    }
    if (now >= nextHealthAt && healthDueAt === undefined) {
      healthDueAt = now;
      health.write(HEALTH_REQUEST);
      nextHealthAt = now + HEALTH_EVERY_MS;
    }
    const dueByNow = ((now - startedAt) / 1000) * requestsPerSecond;
    for (let burst = 0; due < dueByNow && burst < MAX_BURST; burst++) {
      const dueAt = startedAt + (due++ / requestsPerSecond) * 1000;
      const client = free.shift();
      if (client === undefined) unsent++;
      else client.send(dueAt);
    }
    await turn();
    if (due >= dueByNow) Atomics.wait(NAP, 0, 0, NAP_MS);
  }
  const cpu = readCpu(options);
  const micros = (performance.now() - measuredAt) * 1000;
  return {
    seconds: micros / 1e6,
    due: due - dueBefore,
    unsent,
    good: summarise(goodMs),
    shed: summarise(shedMs),
    failed,
    health: summarise(healthMs),
    serverCpu: (cpu.server - cpuBefore.server) / micros,
    loaderCpu: (cpu.loader - cpuBefore.loader) / micros,
  };
}

/** The processor time of both in microseconds. */
function readCpu({ pid }: Target): { readonly server: number; readonly loader: number } {
  const { user, system } = process.cpuUsage();
  return { server: readCpuMicros(pid), loader: user + system };
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as OpenLoadOptions)));
process.exit();
