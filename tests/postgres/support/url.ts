import { parseDatabaseUrl, type PostgresUrl } from '../../../src/database-url.js';

/** A URL as the store takes it. */
export function postgresUrl(text: string): PostgresUrl {
  const url = parseDatabaseUrl(text);
  if (url.engine !== 'postgres') throw new Error(`no PostgreSQL URL: ${text}`);
  return url;
}
