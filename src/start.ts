import { fileURLToPath } from 'node:url';
import { readContract, runService } from 'contract-server';
import { createBearerVerifier, createFirstToken, createTokenVerifier } from 'contract-server/auth';
import { openTelemetry } from 'contract-telemetry';
import { contractDigest } from '../generated/openapi.js';
import { createApp, errorBody } from './app.js';
import { SETTINGS, type Config } from './config.js';
import { openStore } from './open-store.js';
import type { OpenRateLimiter } from './plants/postgres/rate-limiter.js';

await runService({
  settings: SETTINGS,
  errorBody,
  openTelemetry,
  async open({ config, logger, observer, isLeaving, isStopping }) {
    const contract = await readContract(fileURLToPath(import.meta.resolve('#contract')));
    const store = await openStore(config, {
      onUnchecked: (bytes) => {
        logger.warn(
          { bytes },
          'the file of the store is too large to look for damage in it at start',
        );
      },
    });
    const rateLimiter = await openRateLimiter(config);
    const verifyOpaque = createTokenVerifier(config.tokensFile);
    const verifyToken = await createBearerVerifier(config, verifyOpaque, logger);
    const app = await createApp({
      contract,
      contractDigest,
      config,
      store,
      verifyToken,
      rateLimiter: rateLimiter?.limiter,
      logger,
      observer,
      isLeaving,
      isStopping,
    });
    // A service that can't start leaves no token behind.
    const firstToken = createFirstToken(config.tokensFile, { prefix: 'plants_' });
    if (firstToken !== undefined)
      logger.info({ file: firstToken }, 'made a first token, which is in this file');
    return {
      contract,
      app,
      // So one commit takes all the plants that arrived together, and begins in the same turn.
      onServed: () => {
        store.flush();
      },
      async close() {
        await rateLimiter?.close();
        await store.close();
      },
    };
  },
});

/**
 * Opens what counts the requests of callers for all processes of the service; undefined where this process
 * counts by itself, which is enough on SQLite, or nobody does.
 * @throws ConfigError where the database can't be used, StartError where it can't now
 */
async function openRateLimiter({
  databaseUrl,
  namedStatements,
  rateLimit,
}: Pick<Config, 'databaseUrl' | 'namedStatements' | 'rateLimit'>): Promise<
  OpenRateLimiter | undefined
> {
  if (rateLimit === false || databaseUrl.engine === 'sqlite') return undefined;
  const { openPostgresRateLimiter } = await import('./plants/postgres/rate-limiter.js');
  return openPostgresRateLimiter(databaseUrl, rateLimit, { areStatementsNamed: namedStatements });
}
