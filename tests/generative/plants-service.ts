import { errorBody, type AppDeps } from '../../src/app.js';
import { createHttpServer } from '../../src/server/http-server.js';
import { createTestApp } from '../support/app.js';
import type { Client } from './client.js';
import { listen } from './served.js';
import type { Caller } from './valid-requests.js';

export const MAX_BODY_BYTES = 4000;
const REQUEST_TIMEOUT_MS = 10_000;

export interface PlantsService {
  readonly client: Client;
  readonly caller: Caller;
  readonly close: () => Promise<void>;
}

/** The whole service behind its real HTTP server, with other parts in place of some of its own. */
export async function servePlants(
  parts: Partial<Pick<AppDeps, 'contract' | 'verifyToken'>> = {},
): Promise<PlantsService> {
  const config = { maxBodyBytes: MAX_BODY_BYTES, requestTimeoutMs: REQUEST_TIMEOUT_MS };
  const service = await createTestApp({ config, ...parts });
  const server = createHttpServer(service.app, {
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    errorBody,
    onRefused: () => undefined,
  });
  const { client, close } = await listen(server);
  return {
    client,
    caller: { secrets: { bearerAuth: service.token }, maxBodyBytes: MAX_BODY_BYTES },
    async close() {
      await close();
      await service.close();
    },
  };
}
