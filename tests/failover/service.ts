import { startNginx } from '../proxies/support/nginx.js';
import { createLedger, type Ledger, type Sent, type Verdict } from '../postgres/support/ledger.js';
import { startLoad } from '../postgres/support/load.js';
import { createReplica, shareTokens, type Replica } from '../postgres/support/replica.js';
import { startPair, type Pair, type PairOptions } from './pair.js';
import { startSwallowingProxy } from './swallowing-proxy.js';

/** Three replicas behind nginx, on a primary and its synchronous standby. */
export interface Deployment {
  readonly pair: Pair;
  /** Cuts the last replica off from both servers until the promise settles. */
  partitioned(work: () => Promise<void>): Promise<void>;
  /** Creates plants while the faults happen, and holds what was answered against what is stored then. */
  underLoad(
    faults: (ledger: Ledger) => Promise<void>,
  ): Promise<{ ledger: Ledger; verdict: Verdict }>;
  remove(): Promise<void>;
}

const CONNECTIONS = 32;

/** @param program what Node is started with as replica; the service itself by default */
export async function deploy(
  options: PairOptions & { readonly program?: readonly string[] } = {},
): Promise<Deployment> {
  const pair = await startPair(options);
  const clusters = [pair.primary.cluster, pair.standby.cluster];
  const ways = await Promise.all(clusters.map(({ port }) => startSwallowingProxy(port)));
  const tokens = shareTokens();
  const urls = [
    clusters.map(({ folder, port }) => `${encodeURIComponent(folder)}:${port}`),
    clusters.map(({ port }) => `127.0.0.1:${port}`),
    ways.map(({ port }) => `127.0.0.1:${port}`),
  ].map((hosts) => `postgres://postgres@${hosts.join(',')}/postgres`);
  const replicas: Replica[] = [];
  for (const url of urls) replicas.push(await createReplica(url, tokens, options));
  await Promise.all(replicas.map((replica) => replica.start()));
  const proxy = await startNginx(replicas.map(({ port }) => port));
  let count = 0;

  return {
    pair,
    async partitioned(work) {
      for (const way of ways) way.cut();
      await work();
      for (const way of ways) way.restore();
    },
    async underLoad(faults) {
      const ledger = createLedger();
      const load = startLoad({
        url: proxy.url,
        ca: proxy.ca,
        token: tokens.token,
        connections: CONNECTIONS,
        ledger,
        next: () => plantOf(count++),
      });
      try {
        await faults(ledger);
      } finally {
        await load.stop();
      }
      return { ledger, verdict: ledger.judge(await pair.primary.cluster.plants('postgres')) };
    },
    async remove() {
      await proxy.remove();
      await Promise.all(replicas.map((replica) => replica.kill()));
      for (const way of ways) way.close();
      await pair.remove();
    },
  };
}

/** Of five requests, three create new plants, and two want the id of one of the last: as it is, and otherwise. */
function plantOf(count: number): Sent {
  const lag = [0, 0, 0, 41, 42][count % 5] ?? 0;
  const id = BigInt(count - lag);
  return { id, name: lag === 42 ? `another ${id}` : `plant ${id}` };
}
