import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from 'contract-server';
import { readConfig, SETTINGS, type Config } from '../src/config.js';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      basePath: '',
      databaseUrl: { engine: 'sqlite', path: 'data/plants.db' },
      namedStatements: true,
      tokensFile: 'data/tokens',
      oidcIssuer: '',
      oidcAudience: '',
      maxBodyBytes: 1_048_576,
      maxRequestsInFlight: 1000,
      requestTimeoutMs: 30_000,
      shutdownDelayMs: 0,
      shutdownTimeoutMs: 10_000,
      trustProxy: false,
      logLevel: 'info',
      docs: false,
      corsOrigins: [],
      rateLimit: false,
      metricsPort: false,
      metricsHost: '127.0.0.1',
      otlpEndpoint: false,
      hasOtlpHeaders: false,
      otlpProtocol: 'http/protobuf',
      serviceName: 'plant-store',
      resourceAttributes: '',
      tracesExporter: 'otlp',
      metricsExporter: 'otlp',
      tracesSampler: 'parentbased_always_on',
      tracesSamplerArg: 1,
      metricExportIntervalMs: 60_000,
      isTelemetryDisabled: false,
    } satisfies Config);
  });

  it('is frozen', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  it.each<[string, string, keyof Config, unknown]>([
    ['HOST', '::1', 'host', '::1'],
    ['PORT', '0', 'port', 0],
    ['PORT', ' 8080 ', 'port', 8080],
    ['PORT', '', 'port', 3000],
    ['BASE_PATH', '/api/v1', 'basePath', '/api/v1'],
    [
      'DATABASE_URL',
      'sqlite:/var/lib/plants.db',
      'databaseUrl',
      { engine: 'sqlite', path: '/var/lib/plants.db' },
    ],
    ['NAMED_STATEMENTS', 'off', 'namedStatements', false],
    ['TRUST_PROXY', '2', 'trustProxy', 2],
    [
      'TRUST_PROXY',
      'loopback, 10.0.0.0/8,fe80::/10',
      'trustProxy',
      ['loopback', '10.0.0.0/8', 'fe80::/10'],
    ],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['DOCS', 'on', 'docs', true],
    ['RATE_LIMIT', '1000/60s', 'rateLimit', { requests: 1000, windowSeconds: 60 }],
    ['CORS_ORIGINS', '*', 'corsOrigins', ['*']],
    [
      'CORS_ORIGINS',
      'https://app.example.com, http://localhost:5173',
      'corsOrigins',
      ['https://app.example.com', 'http://localhost:5173'],
    ],
  ])('takes %s=%j', (variable, text, name, value) => {
    expect(readConfig({ [variable]: text })[name]).toEqual(value);
  });

  it.each([
    ['HOST', 'a b'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '0x50'],
    ['PORT', '3000.0'],
    ['PORT', 'http'],
    ['BASE_PATH', 'v1'],
    ['BASE_PATH', '/v1/'],
    ['BASE_PATH', '/'],
    ['BASE_PATH', '/:v'],
    ['DATABASE_URL', 'plants.db'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite://plants.db'],
    ['DATABASE_URL', 'mysql://localhost/plants'],
    ['NAMED_STATEMENTS', 'no'],
    ['MAX_BODY_BYTES', '0'],
    ['MAX_BODY_BYTES', '1MB'],
    ['REQUEST_TIMEOUT_MS', '99'],
    ['REQUEST_TIMEOUT_MS', '30s'],
    ['SHUTDOWN_DELAY_MS', '1s'],
    ['SHUTDOWN_TIMEOUT_MS', '-1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,nonsense'],
    ['LOG_LEVEL', 'INFO'],
    ['DOCS', 'yes'],
    ['RATE_LIMIT', '1000'],
    ['RATE_LIMIT', '1000/m'],
    ['RATE_LIMIT', '0/60s'],
    ['RATE_LIMIT', '10/0s'],
    ['RATE_LIMIT', '1/86401s'],
  ])('refuses %s=%j and says what would be right', (variable, text) => {
    const expected = Object.values(SETTINGS).find(
      (setting) => setting.variable === variable,
    )?.expected;

    expect(problemsOf({ [variable]: text })).toEqual([
      `${variable} must be ${expected}; it is ${JSON.stringify(text)}`,
    ]);
  });

  it('names what is wrong with the URL of a store, and never its password', () => {
    const DATABASE_URL = 'postgres://plants:secret@db/plants?sslmod=require';

    expect(problemsOf({ DATABASE_URL, PORT: 'x' })).toEqual([
      expect.stringContaining('PORT must be'),
      'DATABASE_URL has the unknown parameter "sslmod"; known are application_name, connect_timeout, sslcert, sslkey, sslmode, sslrootcert',
    ]);
  });

  it.each([
    ['https://app.example.com/', '"https://app.example.com/" must be https://app.example.com'],
    ['https://app.example.com/a', '"https://app.example.com/a" must be https://app.example.com'],
    ['https://APP.example.com', '"https://APP.example.com" must be https://app.example.com'],
    ['https://a.example:443', '"https://a.example:443" must be https://a.example'],
    ['https://bücher.example', '"https://bücher.example" must be https://xn--bcher-kva.example'],
    ['app.example.com', '"app.example.com" is not the origin of a page'],
    ['null', '"null" is not the origin of a page'],
    ['https://*.example.com', '"https://*.example.com" is not the origin of a page'],
    ['https://a.example,', '"" is not the origin of a page'],
    ['https://user:secret@a.example', 'an origin has no user and no password'],
  ])('refuses CORS_ORIGINS=%j, and says why: %s', (CORS_ORIGINS, why) => {
    expect(problemsOf({ CORS_ORIGINS })).toEqual([
      `CORS_ORIGINS must be *, or origins such as https://app.example.com with commas between; ${why}`,
    ]);
  });

  it('refuses any origin beside some', () => {
    expect(problemsOf({ CORS_ORIGINS: '*,https://a.example' })).toEqual([
      'CORS_ORIGINS must be * alone, or origins without *',
    ]);
  });

  it('reports every mistake at once', () => {
    expect(
      problemsOf({ PORT: 'x', BASE_PATH: 'x', LOG_LEVEL: 'x', DOCS: 'x', CORS_ORIGINS: 'x' }),
    ).toHaveLength(5);
  });
});

describe('.env.example', () => {
  it('names every variable with its default', () => {
    const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');

    for (const { variable, fallback } of Object.values(SETTINGS)) {
      expect(example).toContain(`\n# ${variable}=${fallback}\n`);
    }
  });
});
