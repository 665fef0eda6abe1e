import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { errorBody } from '../../src/app.js';
import { createHttpServer, type HttpServerOptions } from '../../src/server/http-server.js';
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
  options: Pick<HttpServerOptions, 'requestTimeoutMs' | 'onServed'>,
): Promise<Listening> {
  const server = createHttpServer(app, { ...options, errorBody, onRefused: () => undefined });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
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
