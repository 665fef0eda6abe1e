import { readSettings, SERVICE_SETTINGS, type ServiceConfig, type Settings } from 'contract-server';

/** The service's settings, checked and frozen. */
export interface Config extends ServiceConfig {
  readonly databaseUrl: DatabaseUrl;
  readonly tokensFile: string;
}

export interface DatabaseUrl {
  readonly engine: 'sqlite';
  readonly path: string;
}

export const SETTINGS: Settings<Config> = {
  ...SERVICE_SETTINGS,
  databaseUrl: {
    variable: 'DATABASE_URL',
    fallback: 'sqlite:data/plants.db',
    meaning: 'Where the plants are kept: `sqlite:` and a file.',
    expected: 'sqlite: and the path of a file, such as sqlite:data/plants.db',
    parse: parseDatabaseUrl,
  },
  tokensFile: {
    variable: 'TOKENS_FILE',
    fallback: 'data/tokens',
    meaning: 'The file of the tokens’ digests; read again when it changes.',
    expected: 'the path of a file',
    parse: (text) => (text === '' ? undefined : text),
  },
};

/**
 * Reads the settings from the environment; an unset or empty variable has its default.
 * @throws ConfigError that names every mistake and what would be right
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return readSettings(SETTINGS, env);
}

function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  return path === undefined ? undefined : { engine: 'sqlite', path };
}
