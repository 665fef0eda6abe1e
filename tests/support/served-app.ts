import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { errorBody } from '../../src/app.js';
import { createHttpServer } from '../../src/server/http-server.js';
import { createTestApp, type TestApp, type TestAppOptions } from './app.js';

export interface ServedApp extends TestApp {
  /** Where it listens, its base path included. */
  readonly url: string;
}

const REQUEST_TIMEOUT_MS = 10_000;

/** The service in this process, behind its real HTTP server on a free port of this machine. */
export async function serveTestApp(options: TestAppOptions = {}): Promise<ServedApp> {
  const config = { requestTimeoutMs: REQUEST_TIMEOUT_MS, ...options.config };
  const service = await createTestApp({ ...options, config });
  const server = createHttpServer(service.app, {
    requestTimeoutMs: config.requestTimeoutMs,
    errorBody,
    onRefused: () => undefined,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    ...service,
    url: `http://127.0.0.1:${port}${config.basePath ?? ''}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await service.close();
    },
  };
}
