import { startCluster, type Cluster } from '../../postgres/support/cluster.js';
import { createReplica, shareTokens, type Replica } from '../../postgres/support/replica.js';

/** Two copies of the service, which share a database and trust the one proxy before them. */
export interface Fleet {
  readonly cluster: Cluster;
  readonly copies: readonly Replica[];
  readonly ports: readonly number[];
  readonly token: string;
  /** Every line of both copies' logs since they were started. */
  log(): string[];
  remove(): Promise<void>;
}

export async function startFleet(settings: Readonly<Record<string, string>>): Promise<Fleet> {
  const { token, tokensFile } = shareTokens();
  const cluster = await startCluster();
  const env = { TRUST_PROXY: '1', ...settings };
  const copies = [
    await createReplica(cluster.url('postgres'), { tokensFile }, { env }),
    await createReplica(cluster.url('postgres'), { tokensFile }, { env }),
  ];
  await Promise.all(copies.map((copy) => copy.start()));
  return {
    cluster,
    copies,
    ports: copies.map(({ port }) => port),
    token,
    log: () => copies.flatMap(({ log }) => log),
    async remove() {
      await Promise.all(copies.map((copy) => copy.kill()));
      await cluster.remove();
    },
  };
}
