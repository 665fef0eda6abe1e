import type { Server } from 'node:http';
import type { Express } from 'express';
import { errorBody } from '../../src/app.js';
import { listen } from 'contract-testing/generate';
import { createHttpServer, type HttpServerOptions } from 'contract-server';
import { createTestApp, type TestApp, type TestAppOptions } from './app.js';

export interface ServedApp extends TestApp {
  /** Where it listens, its base path included. */
  readonly url: string;
}

const REQUEST_TIMEOUT_MS = 10_000;

/** An app behind the real HTTP server, on a free port of this machine. */
export interface Listening {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

export async function listenOnFreePort(
  app: Express,
  options: Pick<HttpServerOptions, 'requestTimeoutMs' | 'onServed' | 'overload' | 'errorMediaType'>,
): Promise<Listening> {
  const server = createHttpServer(app, { ...options, errorBody, onRefused: () => undefined });
  return { ...(await listen(server)), server };
}

/** The service in this process, behind its real HTTP server on a free port of this machine. */
export async function serveTestApp(options: TestAppOptions = {}): Promise<ServedApp> {
  const config = { requestTimeoutMs: REQUEST_TIMEOUT_MS, ...options.config };
  const service = await createTestApp({ ...options, config });
  const listening = await listenOnFreePort(service.app, config);
  return {
    ...service,
    url: listening.url + (config.basePath ?? ''),
    async close() {
      await listening.close();
      await service.close();
    },
  };
}
