import { EventEmitter, once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuMicros } from '../process/cpu-time.js';
import { readResidentMb } from '../process/resident-memory.js';
import { createPlantRequest, type PlantRequestOptions } from './plant-request.js';
import { responseEnd } from './response-end.js';

/** A server under load. */
export interface Target {
  readonly port: number;
  readonly token: string;
  /** The server's process, whose processor time is read where a measurement begins and ends. */
  readonly pid: number;
}

export interface TargetLoadOptions extends Omit<PlantRequestOptions, 'port' | 'token'> {
  readonly connections: number;
  /** How many requests this server has had before, whose ids aren't to be used again. */
  readonly earlierRequests?: number;
  /** A turn ends earlier where so many requests have been answered. */
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

/** What was measured of one server, all of its turns taken together. */
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
  /** Everything from here on includes what wasn't measured, such as the warm-up. */
  readonly answered: number;
  readonly refused: number;
  readonly checkpoints: readonly Checkpoint[];
}

/** The load on one server, in turns: so many connections, on each of them one request at a time. */
export class TargetLoad {
  readonly #target: Target;
  readonly #options: TargetLoadOptions;
  readonly #requestOf: (n: number) => string;
  readonly #milestones = new EventEmitter();
  readonly #latenciesMs: number[] = [];
  readonly #checkpoints: Checkpoint[] = [];
  readonly #startedAt = performance.now();
  readonly #cpuAtStart: number;
  readonly #spent = { micros: 0, serverMicros: 0, loaderMicros: 0 };
  #sent: number;
  #answered = 0;
  #refused = 0;
  #residentMb = NaN;
  #isMeasuring = false;
  #isOver = true;

  constructor(target: Target, options: TargetLoadOptions) {
    this.#target = target;
    this.#options = options;
    this.#requestOf = createPlantRequest({ ...options, ...target });
    this.#sent = options.earlierRequests ?? 0;
    this.#cpuAtStart = readCpuMicros(target.pid);
  }

  /**
   * Opens the connections, measures, and closes them.
   * @param warmUpMs from the first answer on, which takes long where a program prepares itself for it
   */
  async takeTurn(warmUpMs: number, measureMs: number): Promise<void> {
    const { pid } = this.#target;
    this.#isOver = false;
    const turn = new AbortController();
    const { signal } = turn;
    const firstAnswer = once(this.#milestones, 'answer');
    const maximumReached = once(this.#milestones, 'maximum', { signal }).catch(() => null);
    // A connection that fails ends the run at once.
    const connections = Promise.all(
      Array.from({ length: this.#options.connections }, () => this.#runConnection()),
    );
    await Promise.race([connections, firstAnswer]);
    await Promise.race([connections, sleep(warmUpMs)]);

    const before = { at: performance.now(), server: readCpuMicros(pid), loader: ownCpuMicros() };
    this.#isMeasuring = true;
    const timeIsUp = sleep(measureMs, undefined, { signal }).catch(() => null);
    await Promise.race([connections, maximumReached, timeIsUp]);
    turn.abort();
    this.#isMeasuring = false;
    this.#spent.micros += (performance.now() - before.at) * 1000;
    this.#spent.serverMicros += readCpuMicros(pid) - before.server;
    this.#spent.loaderMicros += ownCpuMicros() - before.loader;
    this.#residentMb = readResidentMb(pid);

    this.#isOver = true;
    await connections;
  }

  result(): LoadResult {
    const { micros, serverMicros, loaderMicros } = this.#spent;
    const count = this.#latenciesMs.length;
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    const quantile = (share: number): number => sorted[Math.floor(count * share)] ?? NaN;
    return {
      requestsPerSecond: count / (micros / 1e6),
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      p999Ms: quantile(0.999),
      cpuMicrosPerRequest: serverMicros / count,
      residentMb: this.#residentMb,
      serverCpu: serverMicros / micros,
      loaderCpu: loaderMicros / micros,
      answered: this.#answered,
      refused: this.#refused,
      checkpoints: this.#checkpoints,
    };
  }

  /** Resolves when the turn is over and the last request of this connection has been answered. */
  #runConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { port } = this.#target;
      const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
      let received = '';
      let end: number | undefined;
      let sentAt = 0;
      const send = (): void => {
        sentAt = performance.now();
        socket.write(this.#requestOf(this.#sent++), 'latin1');
      };
      socket.setEncoding('latin1');
      socket.on('connect', send);
      socket.on('data', (chunk: string) => {
        received = received === '' ? chunk : received + chunk;
        end ??= responseEnd(received);
        if (end === undefined || received.length < end) return;
        if (received.length > end) reject(new Error('more came than the answer'));
        this.#countAnswer(received.startsWith('HTTP/1.1 200 '), performance.now() - sentAt);
        received = '';
        end = undefined;
        if (this.#isOver) socket.end(resolve);
        else send();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        reject(new Error('the server closed a connection')); // which says nothing once it is resolved
      });
    });
  }

  #countAnswer(isGood: boolean, latencyMs: number): void {
    const { maxRequests = Infinity, checkpointEvery = Infinity } = this.#options;
    this.#answered++;
    if (!isGood) this.#refused++;
    if (this.#isMeasuring) this.#latenciesMs.push(latencyMs);
    else this.#milestones.emit('answer');
    if (this.#answered % checkpointEvery === 0) this.#takeCheckpoint();
    if (this.#answered === maxRequests) this.#milestones.emit('maximum');
  }

  #takeCheckpoint(): void {
    const { pid } = this.#target;
    this.#checkpoints.push({
      answered: this.#answered,
      seconds: (performance.now() - this.#startedAt) / 1000,
      cpuMicros: readCpuMicros(pid) - this.#cpuAtStart,
      residentMb: readResidentMb(pid),
    });
  }
}

function ownCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
