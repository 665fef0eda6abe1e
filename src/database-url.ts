import { SettingError } from 'contract-server';

/** Where the plants are kept, by the engine that keeps them. */
export type DatabaseUrl = SqliteUrl | PostgresUrl;

export interface SqliteUrl {
  readonly engine: 'sqlite';
  readonly path: string;
}

/** What libpq's connection URI says (PostgreSQL documentation, 34.1.1.2). */
export interface PostgresUrl {
  readonly engine: 'postgres';
  /** In the order in which they are tried. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  readonly sslMode: SslMode;
  /** Paths of PEM files. */
  readonly sslRootCert?: string;
  readonly sslCert?: string;
  readonly sslKey?: string;
  readonly connectTimeoutMs: number;
  readonly applicationName: string;
}

export interface PostgresHost {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export type SslMode = (typeof SSL_MODES)[number];

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const DEFAULT_PORT = 5432;
const DEFAULT_CONNECT_TIMEOUT_S = 2;

/** Each parameter that a URL may have, and whether a value is right for it. */
const PARAMETERS: Readonly<Record<string, { readonly expected: string; isRight: RegExp }>> = {
  application_name: { expected: 'a name', isRight: /^[\x20-\x7e]{1,63}$/ },
  connect_timeout: { expected: 'seconds from 1 to 600', isRight: /^([1-9]\d?|[1-5]\d\d|600)$/ },
  sslcert: { expected: 'the path of a file', isRight: /./ },
  sslkey: { expected: 'the path of a file', isRight: /./ },
  sslmode: {
    expected: `one of ${SSL_MODES.join(', ')}`,
    isRight: new RegExp(`^(${SSL_MODES.join('|')})$`),
  },
  sslrootcert: { expected: 'the path of a file', isRight: /./ },
};

export const DATABASE_URL_EXPECTED =
  'sqlite: and the path of a file, such as sqlite:data/plants.db, or postgres://user@host:5432/database';

const NOT_SHOWN = 'it is not shown, for it may have a password';
/** What has neither a user nor parameters. */
const WITHOUT_PASSWORD = /^[\w.:/-]*$/;

/**
 * Parses the URL of a store.
 * @throws SettingError that says what is wrong with it, and quotes nothing that may be a password
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  if (/^postgres/i.test(text)) return parsePostgresUrl(text);
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { engine: 'sqlite', path };
  const shown = WITHOUT_PASSWORD.test(text) ? `it is ${JSON.stringify(text)}` : NOT_SHOWN;
  throw new SettingError(`must be ${DATABASE_URL_EXPECTED}; ${shown}`);
}

const POSTGRES_URL =
  /^postgres(?:ql)?:\/\/(?<user>[^:@/?#]+)(?::(?<password>[^@/?#]*))?@(?<hosts>[^@/?#]+)\/(?<database>[^/?#]+)(?:\?(?<query>[^#]*))?$/;

function parsePostgresUrl(text: string): PostgresUrl {
  const { user, password, hosts, database, query } = POSTGRES_URL.exec(text)?.groups ?? {};
  if (user === undefined || hosts === undefined || database === undefined) {
    throw new SettingError(
      `must be postgres://user@host1:5432,host2:5432/database?parameters, with what is no letter or digit percent-encoded; ${NOT_SHOWN}`,
    );
  }
  const parameters = parseParameters(query ?? '');
  const { sslrootcert, sslcert, sslkey } = parameters;
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new SettingError('must have both of sslcert and sslkey, or none of them');
  }
  return {
    engine: 'postgres',
    hosts: hosts.split(',').map(parseHost),
    user: decode(user),
    ...(password && { password: decode(password) }),
    database: decode(database),
    sslMode: SSL_MODES.find((mode) => mode === parameters.sslmode) ?? 'prefer',
    ...(sslrootcert && { sslRootCert: sslrootcert }),
    ...(sslcert && { sslCert: sslcert }),
    ...(sslkey && { sslKey: sslkey }),
    connectTimeoutMs: Number(parameters.connect_timeout ?? DEFAULT_CONNECT_TIMEOUT_S) * 1000,
    applicationName: parameters.application_name ?? 'plants',
  };
}

function parseParameters(query: string): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = {};
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const parameter = PARAMETERS[name];
    if (parameter === undefined) {
      throw new SettingError(
        `has the unknown parameter ${JSON.stringify(name)}; known are ${Object.keys(PARAMETERS).join(', ')}`,
      );
    }
    const decoded = decode(value);
    if (!parameter.isRight.test(decoded)) {
      throw new SettingError(
        `must have ${parameter.expected} as ${name}; it is ${JSON.stringify(decoded)}`,
      );
    }
    parameters[name] = decoded;
  }
  return parameters;
}

function parseHost(text: string): PostgresHost {
  const [, address, name = '', digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = address ?? decode(name);
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  const isHost = address !== undefined || /^(\/.+|[A-Za-z0-9._-]+)$/.test(host);
  if (!isHost || port < 1 || port > 65_535) {
    throw new SettingError(
      `must have hosts such as db1:5432, [::1]:5432 or %2Frun%2Fpostgresql, with commas between; one is ${JSON.stringify(text)}`,
    );
  }
  return { host, port };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SettingError('must be percent-encoded UTF-8; a % stands before two hex digits');
  }
}
