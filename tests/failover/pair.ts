import { rmSync, writeFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { createServerFolder, runAsPostgres } from '../postgres/support/commands.js';
import {
  findFreePort,
  openCluster,
  startCluster,
  type Cluster,
} from '../postgres/support/cluster.js';
import { startSwallowingProxy, type SwallowingProxy } from './swallowing-proxy.js';

/** A server, and the way by which its standby reaches it. */
export interface Node {
  readonly name: string;
  readonly cluster: Cluster;
  readonly replication: SwallowingProxy;
}

/** A primary, and a standby without which it commits nothing. */
export interface Pair {
  readonly primary: Node;
  readonly standby: Node;
  /** Makes the standby the primary, once the primary has been killed. */
  promote(): Promise<void>;
  /** Makes the former primary the standby, and waits until it keeps up. */
  rejoin(): Promise<void>;
  remove(): Promise<void>;
}

const KEEPS_UP_WITHIN_MS = 60_000;

export interface PairOptions {
  /** Where each server has its files; a new folder by default. */
  readonly folders?: readonly [string, string];
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startPair(options: PairOptions = {}): Promise<Pair> {
  const [firstFolder = createServerFolder(), secondFolder = createServerFolder()] =
    options.folders ?? [];
  const ports = [await findFreePort(), await findFreePort()] as const;
  const ways = [
    await startSwallowingProxy(ports[0]),
    await startSwallowingProxy(ports[1]),
  ] as const;
  const settingsOf = (
    name: string,
    other: string,
    way: SwallowingProxy,
  ): Record<string, string> => ({
    listen_addresses: '127.0.0.1',
    // Named, so that no other connection that replicates counts as the standby.
    synchronous_standby_names: other,
    primary_conninfo: `host=127.0.0.1 port=${way.port} user=postgres application_name=${name}`,
    wal_keep_size: '512MB',
    wal_retrieve_retry_interval: '500ms',
    ...options.settings,
  });

  const first = await startCluster({
    folder: firstFolder,
    port: ports[0],
    settings: settingsOf('north', 'south', ways[1]),
  });
  await runAsPostgres('pg_basebackup', [
    ...['--host', firstFolder, '--port', String(ports[0]), '--username', 'postgres'],
    ...['--pgdata', `${secondFolder}/data`, '--checkpoint', 'fast', '--no-sync'],
  ]);
  writeFileSync(`${secondFolder}/data/standby.signal`, '');
  const second = openCluster(secondFolder, ports[1], settingsOf('south', 'north', ways[0]));
  await second.start();

  let primary: Node = { name: 'north', cluster: first, replication: ways[0] };
  let standby: Node = { name: 'south', cluster: second, replication: ways[1] };
  await keepsUp();

  async function keepsUp(): Promise<void> {
    await eventually(async () => {
      const [row] = await primary.cluster.query(
        'postgres',
        `SELECT sync_state FROM pg_stat_replication WHERE application_name = '${standby.name}'`,
      );
      return row?.sync_state === 'sync' || undefined;
    }, KEEPS_UP_WITHIN_MS);
  }

  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    async promote() {
      await standby.cluster.query('postgres', 'SELECT pg_promote()');
      [primary, standby] = [standby, primary];
      // Without it, what rewinds may not see yet that there is a new timeline.
      await primary.cluster.query('postgres', 'CHECKPOINT');
    },
    async rejoin() {
      const { cluster, replication } = standby;
      replication.restore();
      const { folder, port } = primary.cluster;
      await runAsPostgres('pg_rewind', [
        ...['--target-pgdata', `${cluster.folder}/data`, '--no-sync'],
        ...['--source-server', `host=${folder} port=${port} user=postgres dbname=postgres`],
      ]);
      writeFileSync(`${cluster.folder}/data/standby.signal`, '');
      await cluster.start();
      await keepsUp();
    },
    async remove() {
      for (const way of ways) way.close();
      await Promise.all([first.remove(), second.remove()]);
      for (const folder of [firstFolder, secondFolder])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}
