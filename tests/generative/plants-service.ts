import type { AppDeps } from '../../src/app.js';
import { serveTestApp } from '../support/served-app.js';
import { openClient, type Caller, type Client } from 'contract-testing/generate';

export const MAX_BODY_BYTES = 4000;

export interface PlantsService {
  readonly client: Client;
  readonly caller: Caller;
  readonly close: () => Promise<void>;
}

/** The whole service behind its real HTTP server, with other parts in place of some of its own. */
export async function servePlants(
  parts: Partial<Pick<AppDeps, 'contract' | 'verifyToken'>> = {},
): Promise<PlantsService> {
  const service = await serveTestApp({ config: { maxBodyBytes: MAX_BODY_BYTES }, ...parts });
  const client = openClient(service.url);
  return {
    client,
    caller: { secrets: { bearerAuth: service.token }, maxBodyBytes: MAX_BODY_BYTES },
    async close() {
      client.close();
      await service.close();
    },
  };
}
