import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createLedger, FLAWLESS, type Sent } from '../postgres/support/ledger.js';
import { startLoad } from '../postgres/support/load.js';
import { caddy } from './support/caddy.js';
import { startFleet, type Fleet } from './support/fleet.js';
import { haproxy } from './support/haproxy.js';
import { nginx } from './support/nginx.js';
import { startProxy, type Proxy } from './support/proxy.js';

const CONNECTIONS = 64;
/** RESTART_ROUNDS asks for another number than the suite's. */
const ROUNDS = Number(process.env.RESTART_ROUNDS ?? 1);

let fleet: Fleet;
let proxy: Proxy | undefined;

beforeAll(async () => {
  // Longer than it takes a proxy to see that a copy isn't ready.
  fleet = await startFleet({ SHUTDOWN_DELAY_MS: '1500', LOG_LEVEL: 'info' });
});
afterEach(() => proxy?.remove());
afterAll(() => fleet.remove());

describe.each([nginx, haproxy, caddy])('$name', (program) => {
  it('loses no create while one copy of the service after the other is restarted', async () => {
    proxy = await startProxy(program, fleet.ports, program.fitted);
    await fleet.cluster.query('postgres', 'DELETE FROM plants');
    const ledger = createLedger();
    let id = 0n;
    const next = (): Sent => ({ id: id++, name: 'fern' });

    const { url, ca } = proxy;
    const load = startLoad({ url, ca, token: fleet.token, connections: CONNECTIONS, ledger, next });
    const codes: (number | null)[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const copy of fleet.copies) {
        codes.push(await copy.stop());
        await copy.start();
        // The proxy knows that it is back.
        await eventually(() => copy.log.some((line) => line.includes('createPlant')) || undefined);
      }
    }
    await load.stop();

    const counts = [...ledger.others].map(([status, count]) => `${count} with ${status}`);
    console.log(
      `${program.name}: ${codes.length} restarts, ${ledger.acknowledged} created, ` +
        `failed: ${counts.join(', ') || 'none'}, connections closed while idle: ${load.closedIdle}`,
    );
    expect(new Set(codes)).toEqual(new Set([0]));
    expect(ledger.judge(await fleet.cluster.plants('postgres'))).toEqual(FLAWLESS);
    // What only notices failures still connects to a copy in the moment in which that stops listening: such
    // a create is told that it may be repeated.
    const { 502: unreached = 0, ...others } = Object.fromEntries(ledger.others);
    expect(others).toEqual({});
    expect(unreached).toBeLessThanOrEqual(program.asksReadiness ? 0 : ledger.acknowledged / 1000);
  });
});
