import { isIP } from 'node:net';
import { EDGE_SETTINGS, type EdgeConfig } from './edge-settings.js';
import { SettingError, type Environment, type Setting, type Settings } from './setting.js';

/** The settings that every service has, checked and frozen. */
export interface ServiceConfig extends EdgeConfig {
  readonly host: string;
  /** 0 lets the system pick one. */
  readonly port: number;
  /** Where the API is mounted: empty, or `/` and more, without a slash at the end. */
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly maxRequestsInFlight: number;
  readonly requestTimeoutMs: number;
  readonly shutdownDelayMs: number;
  readonly shutdownTimeoutMs: number;
  /** As express's `trust proxy`: no proxy, so many hops, or these addresses. */
  readonly trustProxy: false | number | string[];
  readonly logLevel: string;
}

/** Everything that is wrong with the environment, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MAX_TIMEOUT_MS = 3_600_000;

/** What every service takes from its environment. */
export const SERVICE_SETTINGS: Settings<ServiceConfig> = {
  host: {
    variable: 'HOST',
    fallback: '127.0.0.1',
    meaning: 'The address to listen on; `0.0.0.0` for every one.',
    expected: 'a host name or an address',
    parse: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined),
  },
  port: {
    variable: 'PORT',
    fallback: '3000',
    meaning: 'The port to listen on; `0` picks a free one.',
    ...wholeNumber(0, 65_535),
  },
  basePath: {
    variable: 'BASE_PATH',
    fallback: '',
    meaning: 'Where the API is mounted, such as `/v1`.',
    expected: 'empty, or a path such as /v1 without a slash at its end',
    parse: (text) => (/^(\/[A-Za-z0-9._~-]+)*$/.test(text) ? text : undefined),
  },
  maxBodyBytes: {
    variable: 'MAX_BODY_BYTES',
    fallback: '1048576',
    meaning: 'The largest request body, in bytes.',
    ...wholeNumber(1, 268_435_456),
  },
  maxRequestsInFlight: {
    variable: 'MAX_REQUESTS_IN_FLIGHT',
    fallback: '1000',
    meaning:
      'How many requests may wait for their answers; further ones are refused with 503, and for five seconds a quarter as many may wait.',
    ...wholeNumber(1, 1_000_000),
  },
  requestTimeoutMs: {
    variable: 'REQUEST_TIMEOUT_MS',
    fallback: '30000',
    meaning:
      'How long a request’s headers, and then its body, may take to arrive, in milliseconds.',
    ...wholeNumber(100, MAX_TIMEOUT_MS),
  },
  shutdownDelayMs: {
    variable: 'SHUTDOWN_DELAY_MS',
    fallback: '0',
    meaning:
      'How long a service that was told to stop goes on serving, not ready and closing each connection with its answer, in milliseconds.',
    ...wholeNumber(0, MAX_TIMEOUT_MS),
  },
  shutdownTimeoutMs: {
    variable: 'SHUTDOWN_TIMEOUT_MS',
    fallback: '10000',
    meaning: 'How long requests in flight may take to end when the service stops, in milliseconds.',
    ...wholeNumber(0, MAX_TIMEOUT_MS),
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    fallback: '',
    meaning:
      'Whose `X-Forwarded-For` to believe: a number of hops, or addresses and subnets with commas between.',
    expected: 'empty, a number of hops, or addresses such as loopback,10.0.0.0/8',
    parse: parseTrustProxy,
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    fallback: 'info',
    meaning: `The least severe level that is logged: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}.`,
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (text) => (LOG_LEVELS.includes(text) ? text : undefined),
  },
  ...EDGE_SETTINGS,
};

/**
 * Reads the settings from the environment; an unset or empty variable has its default.
 * @throws ConfigError that names every mistake and what would be right
 */
export function readSettings<Config>(
  settings: Settings<Config>,
  env: Environment,
): Readonly<Config> {
  return configOf(settings, env, new Map());
}

/**
 * Reads the settings of a service that is about to start, and checks what only this machine can tell.
 * @throws ConfigError as `readSettings`, with what the checks found
 */
export async function readCheckedSettings<Config>(
  settings: Settings<Config>,
  env: Environment,
): Promise<Readonly<Config>> {
  const found = new Map<string, string>();
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const problem = await setting.check?.(textOf(setting, env), env);
    if (problem !== undefined) found.set(name, problem);
  }
  return configOf(settings, env, found);
}

/** @param found what is wrong with settings of the right form, by their names */
function configOf<Config>(
  settings: Settings<Config>,
  env: Environment,
  found: ReadonlyMap<string, string>,
): Readonly<Config> {
  const problems: string[] = [];
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const { variable, expected, parse } = setting;
    const text = textOf(setting, env);
    try {
      const value = parse(text, env);
      if (value === undefined)
        throw new SettingError(`must be ${expected}; it is ${JSON.stringify(text)}`);
      const problem = found.get(name);
      if (problem !== undefined) problems.push(problem);
      return [name, value];
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(`${variable} ${error.message}`);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(Object.fromEntries(entries) as Config); // each value is what its setting parses to
}

function textOf({ variable, fallback }: Setting<unknown>, env: Environment): string {
  const text = env[variable]?.trim() ?? '';
  return text === '' ? fallback : text;
}

/** A setting that is a whole number in decimal. */
export function wholeNumber(min: number, max: number): Pick<Setting<number>, 'expected' | 'parse'> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (text) => parseWhole(text, min, max),
  };
}

function parseWhole(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
}

function parseTrustProxy(text: string): false | number | string[] | undefined {
  if (text === '') return false;
  const hops = parseWhole(text, 1, 100);
  if (hops !== undefined) return hops;
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every(isAddress) ? addresses : undefined;
}

function isAddress(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix] = text.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  return prefix === undefined || parseWhole(prefix, 0, version === 4 ? 32 : 128) !== undefined;
}
