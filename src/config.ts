import { readSettings, SERVICE_SETTINGS, type ServiceConfig, type Settings } from 'contract-server';
import { OIDC_SETTINGS, type OidcConfig } from 'contract-server/auth';
import { telemetrySettings, type TelemetryConfig } from 'contract-telemetry';
import { DATABASE_URL_EXPECTED, parseDatabaseUrl, type DatabaseUrl } from './database-url.js';

/** The service's settings, checked and frozen. */
export interface Config extends ServiceConfig, OidcConfig, TelemetryConfig {
  readonly databaseUrl: DatabaseUrl;
  readonly namedStatements: boolean;
  readonly tokensFile: string;
}

/** The settings of metrics and traces, which docs/telemetry.md lists. */
export const TELEMETRY_SETTINGS = telemetrySettings('plant-store');

export const SETTINGS: Settings<Config> = {
  ...SERVICE_SETTINGS,
  databaseUrl: {
    variable: 'DATABASE_URL',
    fallback: 'sqlite:data/plants.db',
    meaning:
      'Where the plants are kept: `sqlite:` and a file, or `postgres://user@host1:5432,host2:5432/database`.',
    expected: DATABASE_URL_EXPECTED,
    parse: parseDatabaseUrl,
  },
  namedStatements: {
    variable: 'NAMED_STATEMENTS',
    fallback: 'on',
    meaning:
      'Whether PostgreSQL may keep prepared statements by name: `on`, or `off` behind a pooler that can’t.',
    expected: 'on or off',
    parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
  },
  tokensFile: {
    variable: 'TOKENS_FILE',
    fallback: 'data/tokens',
    meaning: 'The file of the tokens’ digests; read again when it changes.',
    expected: 'the path of a file',
    parse: (text) => (text === '' ? undefined : text),
  },
  ...OIDC_SETTINGS,
  ...TELEMETRY_SETTINGS,
};

/**
 * Reads the settings from the environment; an unset or empty variable has its default.
 * @throws ConfigError that names every mistake and what would be right
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return readSettings(SETTINGS, env);
}
