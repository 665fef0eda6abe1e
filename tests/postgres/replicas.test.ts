import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { StoredPlant } from '../support/database.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { createLedger, FLAWLESS, type Ledger, type Sent } from './support/ledger.js';
import { startLoad, type Load } from './support/load.js';
import { startNginx, type RoutingProxy } from '../proxies/support/nginx.js';
import { createReplica, shareTokens, type Replica } from './support/replica.js';

/** REPLICA_CREATES asks for another number than the suite's. */
const CREATES = Number(process.env.REPLICA_CREATES ?? 20_000);
/** So few ids for so many creates that those of one id meet in different replicas. */
const IDS = Math.ceil(CREATES / 20);
const CONNECTIONS = 64;
const REPLICAS = 3;
const TEST_TIMEOUT_MS = 60_000 + CREATES * 5;

const { token, tokensFile } = shareTokens();
let cluster: Cluster;
let replicas: Replica[];
let proxy: RoutingProxy;

beforeEach(async () => {
  cluster = await startCluster();
  replicas = [];
  for (let n = 0; n < REPLICAS; n++) {
    replicas.push(await createReplica(cluster.url('postgres'), { tokensFile }));
  }
  await Promise.all(replicas.map((replica) => replica.start()));
  proxy = await startNginx(replicas.map(({ port }) => port));
});
afterEach(async () => {
  await proxy.remove();
  await Promise.all(replicas.map((replica) => replica.kill()));
  await cluster.remove();
});

function loadReplicas(ledger: Ledger, next: () => Sent | undefined): Load {
  const { url, ca } = proxy;
  return startLoad({ url, ca, token, connections: CONNECTIONS, ledger, next });
}

it(
  `lets one content win for each id that ${CREATES} creates want at three replicas, and tells everybody right`,
  async () => {
    const ledger = createLedger();
    let count = 0;
    const next = (): Sent | undefined => {
      if (count === CREATES) return undefined;
      // Neighbours want the same id, some of them with another content.
      const id = BigInt(Math.floor(count / 4) % IDS);
      return { id, name: `plant ${count++ % 3}` };
    };

    await loadReplicas(ledger, next).done;

    const stored: StoredPlant[] = await cluster.plants('postgres');
    expect(stored).toHaveLength(IDS);
    expect(ledger.judge(stored)).toEqual(FLAWLESS);
    expect([...ledger.others]).toEqual([]);
    expect(ledger.acknowledged + ledger.conflicts).toBe(CREATES);
    expect(ledger.conflicts).toBeGreaterThan(0);
    const [deadlocks] = await cluster.query(
      'postgres',
      "SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'",
    );
    expect(deadlocks).toEqual({ deadlocks: 0n });
  },
  TEST_TIMEOUT_MS,
);

it('answers no request with an error while each replica in turn is taken out of the proxy and restarted', async () => {
  const ledger = createLedger();
  let id = 0n;
  const next = (): Sent => ({ id: id++, name: 'fern' });

  const load = loadReplicas(ledger, next);
  const codes: (number | null)[] = [];
  const ports = replicas.map(({ port }) => port);
  for (const replica of replicas) {
    await proxy.route(ports.filter((port) => port !== replica.port));
    codes.push(await replica.stop());
    await replica.start();
    await proxy.route(ports);
  }
  await load.stop();

  // A proxy that changes its routes closes connections; what was sent on them is sent anew, which is safe.
  const closed = ledger.others.get(0) ?? 0;
  console.log(
    `rolling restart: ${ledger.acknowledged} created, closed unanswered: ${load.closedIdle} idle connections, ${closed} new ones`,
  );
  expect(codes).toEqual([0, 0, 0]);
  expect(ledger.judge(await cluster.plants('postgres'))).toEqual(FLAWLESS);
  expect([...ledger.others.keys()].filter((status) => status !== 0)).toEqual([]);
});
