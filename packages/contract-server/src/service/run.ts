import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { pino, type Logger } from 'pino';
import { ContractError } from '../document/contract-error.js';
import type { ContractDocument } from '../document/document.js';
import type { ApiError } from '../exchange/api-error.js';
import type { Observer } from '../exchange/observer.js';
import { OpenStreams } from '../items/open-streams.js';
import { errorMediaTypeOf } from '../pipeline/status-check.js';
import { createCorsHeaders } from '../server/cors.js';
import { createDrain } from '../server/graceful-stop.js';
import { HEALTH_TARGETS } from '../server/health.js';
import { createHttpServer } from '../server/http-server.js';
import { createLogStream } from '../server/log-stream.js';
import type { Settings } from './setting.js';
import { ConfigError, readCheckedSettings, type ServiceConfig } from './settings.js';
import type { StreamConfig } from './stream-settings.js';

/** The environment, the contract or what was supplied for it is wrong; nothing has been started. */
const EXIT_BAD_SETUP = 2;
/** How long the last lines of the log may take, where a disk is full or nobody reads them. */
const LAST_LINES_MS = 500;

/** Why a service can't start, in a line for who runs it: it is printed without a stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** What telemetry is given to open with. */
export interface TelemetryStart<Config> {
  readonly config: Readonly<Config>;
  readonly logger: Logger;
  /** How many lines of the log have been dropped so far. */
  readonly droppedLines: () => number;
}

/** Metrics and traces of a service, as `contract-telemetry` makes them. */
export interface Telemetry {
  readonly observer: Observer;
  /** What a line that is logged now has beside its own members, such as the ids of a trace. */
  readonly logMembers?: () => Record<string, unknown>;
  /** Sends what there is, and ends. Never rejects, and takes a few seconds at most. */
  close(): Promise<void>;
}

/** What a service is given to open with. */
export interface ServiceStart<Config> {
  readonly config: Readonly<Config>;
  readonly logger: Logger;
  /** For the app; undefined where there is no telemetry. */
  readonly observer: Observer | undefined;
  /** True once the service has been told to stop: it isn't ready, and its connections end. */
  readonly isLeaving: () => boolean;
  /** True once it has been told so without SHUTDOWN_DELAY_MS: requests are refused. */
  readonly isStopping: () => boolean;
  /** The responses whose items are sent as they come. */
  readonly streams: OpenStreams;
}

/** A service that is open, and doesn't listen yet. */
export interface Service {
  /**
   * Declares the media type of errors that are answered before a request exists, and the headers that
   * pages may read of answers.
   */
  readonly contract?: ContractDocument;
  readonly app: Express;
  /** Called once the requests that arrived together have all run until they wait, such as for a commit. */
  readonly onServed?: () => void;
  /** Closes what the handlers use; called once every request has been answered. */
  readonly close?: () => Promise<void>;
}

export interface RunOptions<Config> {
  readonly settings: Settings<Config>;
  /** The body, in the contract's own shape, of what is refused before it is a request. */
  readonly errorBody: (error: ApiError) => unknown;
  /** Opens metrics and traces, where they are configured; before the service, whose open may wait for others. */
  readonly openTelemetry?: (start: TelemetryStart<Config>) => Promise<Telemetry | undefined>;
  readonly open: (start: ServiceStart<Config>) => Promise<Service>;
}

/**
 * Runs a service in this process: reads its settings from the environment and `.env`, opens it,
 * listens, logs, and stops on SIGTERM and SIGINT once what is in flight has been answered. The process
 * exits with 0 then; with 1 where that took too long, or the service couldn't start; with 2 where
 * the environment or the contract is wrong. A second signal ends it at once.
 */
export async function runService<Config extends ServiceConfig & Partial<StreamConfig>>(
  options: RunOptions<Config>,
): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile();
    await start(options, await readCheckedSettings(options.settings, process.env));
  } catch (error) {
    const isBadSetup = error instanceof ConfigError || error instanceof ContractError;
    // An error of the system, such as a port in use, is printed without its stack; a bug with it.
    const isForPeople =
      isBadSetup || error instanceof StartError || (error instanceof Error && 'syscall' in error);
    console.error(isForPeople ? error.message : error);
    process.exit(isBadSetup ? EXIT_BAD_SETUP : 1);
  }
}

async function start<Config extends ServiceConfig & Partial<StreamConfig>>(
  { errorBody, openTelemetry, open }: RunOptions<Config>,
  config: Readonly<Config>,
): Promise<void> {
  const log = createLogStream({
    onDropped: (dropped) => {
      logger.warn({ dropped }, 'lines are missing here: the log could not be written');
    },
  });
  const plainLogger = pino({ level: config.logLevel }, log);
  const telemetry = await openTelemetry?.({
    config,
    logger: plainLogger,
    droppedLines: () => log.dropped,
  });
  const observer = telemetry?.observer;
  const mixin = telemetry?.logMembers;
  const logger = mixin ? pino({ level: config.logLevel, mixin }, log) : plainLogger;
  const streams = new OpenStreams(config);
  let isLeaving = false;
  let isStopping = false;
  let isHeld = false;

  const service = await open({
    config,
    logger,
    observer,
    isLeaving: () => isLeaving,
    isStopping: () => isStopping,
    streams,
  });
  const mediaType = service.contract && errorMediaTypeOf(service.contract);
  const server = createHttpServer(service.app, {
    requestTimeoutMs: config.requestTimeoutMs,
    isLeaving: () => isLeaving,
    isHeld: () => isHeld,
    overload: {
      maxRequestsInFlight: config.maxRequestsInFlight,
      alwaysServed: HEALTH_TARGETS,
      ...(service.contract &&
        config.corsOrigins.length > 0 && {
          headersOf: createCorsHeaders(config.corsOrigins, service.contract),
        }),
      onOverload: (refused) => {
        logger.warn({ refused }, 'overloaded: MAX_REQUESTS_IN_FLIGHT was reached');
        observer?.shed(refused);
      },
    },
    streams,
    errorBody,
    ...(mediaType !== undefined && { errorMediaType: mediaType }),
    ...(service.onServed && { onServed: service.onServed }),
    onRefused: ({ status, code }) => {
      logger.info({ status, code }, 'refused before it was a request');
      observer?.refusedConnection(code);
    },
  });
  const drain = createDrain(server, (held) => (isHeld = held));

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (isLeaving) process.exit(1);
    isLeaving = true;
    logger.info({ signal }, 'stopping');
    // Where there was time to leave, who still comes is served: each connection ends with its next answer.
    if (config.shutdownDelayMs > 0) await pause(config.shutdownDelayMs);
    else isStopping = true;
    streams.end();
    const isDrained = await drain(config.shutdownTimeoutMs);
    await service.close?.();
    await telemetry?.close();
    if (isDrained) logger.info('stopped');
    else logger.error('stopped with requests unanswered: SHUTDOWN_TIMEOUT_MS was too short');
    await log.flush(LAST_LINES_MS);
    process.exit(isDrained ? 0 : 1);
  }
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  const host = family === 'IPv6' ? `[${address}]` : address;
  logger.info({ url: `http://${host}:${port}${config.basePath}` }, 'listening');
}
