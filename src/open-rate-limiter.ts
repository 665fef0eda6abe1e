import type { Config } from './config.js';
import type { OpenRateLimiter } from './plants/postgres/rate-limiter.js';

/**
 * Opens what counts the requests of callers for all processes of the service; undefined where this process
 * counts by itself, which is enough on SQLite, or nobody does.
 * @throws ConfigError where the database can't be used
 */
export async function openRateLimiter({
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
