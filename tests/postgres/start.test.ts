import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError, StartError } from 'contract-server';
import { openPostgresPlantStore } from '../../src/plants/postgres/postgres-plant-store.js';
import { createFolder, run, serviceEnv, startService } from '../support/service.js';
import { findFreePort, startCluster, type Cluster } from './support/cluster.js';
import { postgresUrl } from './support/url.js';

const PASSWORD = 'green:thumb';
const certificate = `${createFolder()}/server.pem`;
const key = certificate.replace('.pem', '.key');

let cluster: Cluster;
let plain: Cluster;
let standby: Cluster;
let nobody: number;

beforeAll(async () => {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=plants'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  cluster = await startCluster({
    settings: {
      listen_addresses: '127.0.0.1',
      ssl: 'on',
      ssl_cert_file: certificate,
      ssl_key_file: key,
    },
    access: [
      'local all all trust',
      'hostssl plants encrypted 127.0.0.1/32 trust',
      'host all secret 127.0.0.1/32 scram-sha-256',
    ],
  });
  plain = await startCluster({ settings: { listen_addresses: '127.0.0.1' } });
  standby = await startCluster({ isStandby: true });
  nobody = await findFreePort();
  await cluster.query('postgres', `CREATE ROLE secret LOGIN PASSWORD '${PASSWORD}'`);
  await cluster.query('postgres', 'CREATE ROLE encrypted LOGIN');
  await cluster.query('postgres', 'CREATE ROLE careless LOGIN');
  await cluster.query('postgres', 'ALTER ROLE careless SET synchronous_commit = off');
  await cluster.query('postgres', 'CREATE ROLE aged LOGIN');
  await cluster.query('postgres', 'ALTER ROLE aged SET search_path = aged, pg_catalog');
  await cluster.query('postgres', 'CREATE DATABASE plants OWNER secret');
  await cluster.query(
    'postgres',
    "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
  );
  // What a server of version 13 says of itself.
  await cluster.query(
    'plants',
    `CREATE SCHEMA aged; GRANT USAGE ON SCHEMA aged TO aged;
    CREATE FUNCTION aged.current_setting(name text) RETURNS text LANGUAGE sql AS $$
      SELECT CASE name WHEN 'server_version_num' THEN '130012' WHEN 'server_version' THEN '13.12'
        ELSE pg_catalog.current_setting(name) END $$`,
  );
});
afterAll(() => Promise.all([cluster.remove(), plain.remove(), standby.remove()]));

function tcp(role: string, database: string, parameters = ''): string {
  return `postgres://${role}@127.0.0.1:${cluster.port}/${database}${parameters}`;
}

describe('a store that can not be used', () => {
  afterEach(() => {
    delete process.env.PGPASSWORD;
    delete process.env.PGPASSFILE;
  });

  it.each<[string, () => string, RegExp]>([
    [
      'has a wrong password',
      () => tcp('secret:wrong', 'plants'),
      /: password authentication failed for user "secret"$/,
    ],
    [
      'has no password',
      () => tcp('secret', 'plants'),
      /asks for the password of secret: set PGPASSWORD, or PGPASSFILE/,
    ],
    [
      'asks for TLS',
      () => tcp('encrypted', 'plants', '?sslmode=disable'),
      /no pg_hba.conf entry .* no encryption$/,
    ],
    [
      'has no TLS',
      () => `postgres://postgres@127.0.0.1:${plain.port}/postgres?sslmode=require`,
      /does not support SSL connections$/,
    ],
    [
      'has a certificate of nobody known',
      () => tcp('encrypted', 'plants', '?sslmode=verify-full'),
      /self-signed certificate$/,
    ],
    [
      'has a CA file that is not there',
      () => tcp('encrypted', 'plants', '?sslrootcert=%2Fno.pem'),
      /\/no.pem can't be read/,
    ],
    ['has no such database', () => cluster.url('nothing'), /database "nothing" does not exist$/],
    [
      'has a role without rights',
      () => cluster.url('plants', 'encrypted'),
      /run `npm run migrate` with a role that owns it$/,
    ],
    [
      'is older than 14',
      () => cluster.url('plants', 'aged'),
      /: it is PostgreSQL 13.12; version 14 is the oldest that will do$/,
    ],
    ['is not in UTF-8', () => cluster.url('latin'), /the encoding LATIN1, .*; both must be UTF8$/],
    [
      'does not wait for the disk',
      () => cluster.url('plants', 'careless'),
      /synchronous_commit is off, .* for this role/,
    ],
  ])('%s: says so in a line, as a mistake', async (_case, url, message) => {
    const error = await openingError(url());

    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(message);
  });

  it.each<[string, () => string, RegExp]>([
    ['is a standby', () => standby.url('postgres'), /: it is a standby, or takes no writes$/],
    [
      'is not there',
      () => `postgres://a@127.0.0.1:${nobody}/plants`,
      /: connect ECONNREFUSED 127.0.0.1:\d+$/,
    ],
    [
      'is on none of several hosts',
      () =>
        `postgres://a@127.0.0.1:${nobody},${encodeURIComponent(standby.folder)}:${standby.port}/postgres`,
      /ECONNREFUSED .*; .*role "a" does not exist$/,
    ],
  ])('%s: says so in a line, as what may pass', async (_case, url, message) => {
    const error = await openingError(url());

    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toMatch(message);
  });

  async function openingError(url: string): Promise<Error> {
    const opened = openPostgresPlantStore(postgresUrl(url), { openTimeoutMs: 300 });

    const error = await opened.then(
      () => new Error('it was opened'),
      (reason: unknown) => reason as Error, // whatever it is; its class is looked at
    );

    expect(error.message).toMatch(/^DATABASE_URL: the store can't be used: [^\n]+$/);
    expect(error.message).not.toContain('wrong');
    return error;
  }

  it('ends the service with 1 where no server answers, so that it is started again', async () => {
    const { code, stderr } = await run('src/main.js', [], {
      ...serviceEnv(createFolder()),
      DATABASE_URL: `postgres://a@127.0.0.1:${nobody}/plants`,
    });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^DATABASE_URL: the store can't be used: .* ECONNREFUSED .*\n$/);
  });

  it('ends the service with 2 and one line', async () => {
    const folder = createFolder();

    const { code, stdout, stderr } = await run('src/main.js', [], {
      ...serviceEnv(folder),
      DATABASE_URL: tcp('secret', 'plants'),
      PGPASSWORD: 'wrong',
    });

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `DATABASE_URL: the store can't be used: 127.0.0.1:${cluster.port}: password authentication failed for user "secret"\n`,
    });
    expect(stdout).not.toContain('wrong');
  });
});

describe('a store that asks for a password', () => {
  function passwordFile(mode: number): string {
    const path = `${createFolder()}/pgpass`;
    writeFileSync(
      path,
      `# a comment\nelsewhere:*:*:*:no\n127.0.0.1:*:plants:secret:green\\:thumb\n`,
    );
    chmodSync(path, mode);
    return path;
  }

  it.each<[string, () => Record<string, string>]>([
    ['PGPASSWORD', () => ({ PGPASSWORD: PASSWORD })],
    ['PGPASSFILE', () => ({ PGPASSFILE: passwordFile(0o600) })],
  ])('is opened with that of %s, which no line of the log has', async (_name, env) => {
    const service = await startService({ DATABASE_URL: tcp('secret', 'plants'), ...env() });

    const response = await service.api.createPlant({ body: { id: 1n, name: 'fern' } });

    expect(response.status).toBe(200);
    expect(JSON.stringify(service.log)).not.toMatch(/green|thumb/);
    await service.kill();
  });

  it('is not opened with a file that others may read', async () => {
    process.env.PGPASSFILE = passwordFile(0o644);

    const opened = openPostgresPlantStore(postgresUrl(tcp('secret', 'plants')));

    await expect(opened).rejects.toThrow(/open to others: chmod 600/);
    delete process.env.PGPASSFILE;
  });
});

describe('a store behind TLS', () => {
  it.each([
    'sslmode=require',
    `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`,
    'sslmode=prefer',
    '',
  ])('is opened with %s', async (parameters) => {
    await cluster.query('postgres', 'ALTER ROLE encrypted SUPERUSER');
    const url = postgresUrl(tcp('encrypted', 'plants', `?${parameters}`));

    const store = await openPostgresPlantStore(url);

    await expect(store.checkWritable()).resolves.toBeUndefined();
    await store.close();
  });
});
