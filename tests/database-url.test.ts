import { describe, expect, it } from '@jest/globals';
import { SettingError } from 'contract-server';
import { parseDatabaseUrl, type PostgresUrl } from '../src/database-url.js';

const PLAIN: PostgresUrl = {
  engine: 'postgres',
  hosts: [{ host: 'db', port: 5432 }],
  user: 'plants',
  database: 'store',
  sslMode: 'prefer',
  connectTimeoutMs: 2000,
  applicationName: 'plants',
};

describe('parseDatabaseUrl', () => {
  it.each<[string, Partial<PostgresUrl>]>([
    ['postgres://plants@db/store', {}],
    ['postgresql://plants@db:5432/store?', {}],
    ['postgres://plants:p%40ss%3A@db/store', { password: 'p@ss:' }],
    [
      'postgres://plants@db1:5433,10.0.0.2,[::1]:6432/store',
      {
        hosts: [
          { host: 'db1', port: 5433 },
          { host: '10.0.0.2', port: 5432 },
          { host: '::1', port: 6432 },
        ],
      },
    ],
    [
      'postgres://plants@%2Fvar%2Frun%2Fpostgresql:5433/store',
      { hosts: [{ host: '/var/run/postgresql', port: 5433 }] },
    ],
    [
      'postgres://plants@db/store?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&connect_timeout=5',
      { sslMode: 'verify-full', sslRootCert: '/etc/ca.pem', connectTimeoutMs: 5000 },
    ],
    [
      'postgres://plants@db/store?sslcert=a.pem&sslkey=b.pem&application_name=shop',
      { sslCert: 'a.pem', sslKey: 'b.pem', applicationName: 'shop' },
    ],
  ])('takes %s', (text, expected) => {
    expect(parseDatabaseUrl(text)).toEqual({ ...PLAIN, ...expected });
  });

  it.each([
    [
      'postgres://plants@db/store?sslmod=require',
      /unknown parameter "sslmod"; known are .*sslmode/,
    ],
    ['postgres://plants@db/store?password=secret', /unknown parameter "password"/],
    [
      'postgres://plants@db/store?sslmode=yes',
      /one of disable, prefer, .* as sslmode; it is "yes"/,
    ],
    ['postgres://plants@db/store?connect_timeout=0', /seconds from 1 to 600/],
    ['postgres://plants@db/store?sslkey=b.pem', /both of sslcert and sslkey/],
    ['postgres://plants@db:0/store', /hosts such as/],
    ['postgres://plants@db:65536/store', /hosts such as/],
    ['postgres://plants@db,/store', /hosts such as/],
    ['postgres://plants@d b/store', /hosts such as/],
    ['postgres://plants@db%2/store', /percent-encoded/],
    ['postgres://plants@db', /must be postgres:/],
    ['postgres://db/store', /must be postgres:/],
    ['postgres:plants', /must be postgres:/],
    ['postgres://plants:secret@db/store/more', /must be postgres:/],
    ['postgres://plants:sec/ret@db/store', /must be postgres:/],
    ['Postgres://plants:secret@db/store', /must be postgres:/],
    ['mysql://plants:secret@db/store', /must be sqlite: .* or postgres:.*; it is not shown/],
    ['plants:secret@db/store', /must be sqlite: /],
    ['sqlite://plants:secret@db/store', /must be sqlite: /],
    ['jdbc:postgresql://db/store?password=secret', /must be sqlite: /],
  ])('refuses %s, says how, and shows no password', (text, message) => {
    expect(() => parseDatabaseUrl(text)).toThrow(SettingError);
    expect(() => parseDatabaseUrl(text)).toThrow(message);
    expect(() => parseDatabaseUrl(text)).not.toThrow(/secret|ret@/);
  });
});
