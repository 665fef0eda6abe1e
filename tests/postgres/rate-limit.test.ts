import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RateLimiterRes } from 'rate-limiter-flexible';
import {
  openPostgresRateLimiter,
  type OpenRateLimiter,
} from '../../src/plants/postgres/rate-limiter.js';
import { startService } from '../support/service.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { postgresUrl } from './support/url.js';

const POLICY = { requests: 3, windowSeconds: 60 };
const ROLE = 'counting';

let cluster: Cluster;
let database: string;
let opened: OpenRateLimiter[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.query('postgres', `CREATE ROLE ${ROLE} LOGIN`);
});
beforeEach(async () => {
  database = await cluster.createDatabase();
});
afterEach(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  opened = [];
});
afterAll(() => cluster.remove());

async function open(role?: string, areStatementsNamed?: boolean): Promise<OpenRateLimiter> {
  const url = postgresUrl(cluster.url(database, role));
  const limiter = await openPostgresRateLimiter(url, POLICY, {
    ...(areStatementsNamed !== undefined && { areStatementsNamed }),
  });
  opened.push(limiter);
  return limiter;
}

/** What is left after a request; undefined where it is one too many. */
async function consume({ limiter }: OpenRateLimiter, name: string): Promise<number | undefined> {
  try {
    return (await limiter.consume(name)).remainingPoints;
  } catch (error) {
    if (error instanceof RateLimiterRes) return undefined;
    throw error;
  }
}

describe('a limit that processes share', () => {
  it.each([true, false])('counts for all of them (statements named: %s)', async (areNamed) => {
    const [one, other] = [await open(undefined, areNamed), await open(undefined, areNamed)];

    const left = [];
    for (const limiter of [one, other, one, other, one]) left.push(await consume(limiter, 'a'));

    expect(left).toEqual([2, 1, 0, undefined, undefined]);
    expect(await consume(other, 'b')).toBe(2);
  });

  it('counts what comes at once, each request once', async () => {
    const [one, other] = [await open(), await open()];

    const left = await Promise.all(
      Array.from({ length: 20 }, (_, index) => consume(index % 2 === 0 ? one : other, 'a')),
    );

    expect(left.filter((points) => points !== undefined).sort()).toEqual([0, 1, 2]);
  });

  it('takes names of any length, and keeps none of them', async () => {
    const name = `oidc:${'x'.repeat(1000)}`;

    expect(await consume(await open(), name)).toBe(2);
    const [row] = await cluster.query(database, 'SELECT key FROM rate_limits');
    expect(String(row?.key)).toMatch(/^[\w-]{43}$/);
  });

  it('is what two services have', async () => {
    const env = { DATABASE_URL: cluster.url(database), RATE_LIMIT: '3/60s' };
    const services = [await startService(env), await startService(env)];
    const statuses = [];
    for (const { api } of [...services, ...services]) {
      statuses.push((await api.createPlant({ body: { id: 1n, name: 'fern' } })).status);
    }
    await Promise.all(services.map((service) => service.kill()));

    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('a limit whose database has gone', () => {
  it('is counted by each process, and by the database again once that is back', async () => {
    const [one, other] = [await open(), await open()];
    await consume(one, 'a');
    await cluster.kill();

    const alone = [await consume(one, 'a'), await consume(other, 'a')];
    await cluster.start();

    expect(alone).toEqual([2, 2]);
    // What an unlogged table held is gone after a crash.
    expect([await consume(one, 'a'), await consume(other, 'a')]).toEqual([2, 1]);
  });
});

describe('a role without rights to define tables', () => {
  it('counts in the table that another role has made', async () => {
    await open();
    await cluster.query(database, `GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO ${ROLE}`);

    expect(await consume(await open(ROLE), 'a')).toBe(2);
  });

  it('refuses to start where there is none, and says what to do', async () => {
    await expect(open(ROLE)).rejects.toThrow(/RATE_LIMIT needs the table rate_limits.*GRANT/);
  });
});
