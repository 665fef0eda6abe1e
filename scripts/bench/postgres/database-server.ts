import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { startCluster, type Cluster } from '../../../tests/postgres/support/cluster.js';
import { openPlantWriter } from '../../plants/open.js';
import { parseDatabaseUrl } from '../../../src/database-url.js';
import { endProcess, startNode } from '../process/child-process.js';
import type { PlantDatabase } from '../process/contestants.js';

/** A PostgreSQL server that makes every commit durable, and a way to it. */
export interface DatabaseServer {
  /** How long it takes to it and back, in milliseconds. */
  readonly roundTripMs: number;
  /** Makes a database with the schema of the service, and no plants. */
  createDatabase(): Promise<BenchDatabase>;
  /** The processor time that its processes have had, in microseconds. */
  cpuMicros(): number;
  stop(): Promise<void>;
}

export interface BenchDatabase extends PlantDatabase {
  /** What `pgbench` is told to reach it. */
  readonly pgbenchArgs: readonly string[];
}

const TICK_MICROS = 10_000;

/** Starts a server; with a round trip, it is reached through a proxy that takes its time. */
export async function startDatabaseServer(roundTripMs: number): Promise<DatabaseServer> {
  const cluster = await startCluster({
    settings: { fsync: 'on', shared_buffers: '256MB', max_wal_size: '4GB' },
  });
  const proxy = roundTripMs > 0 ? await startProxy(cluster, roundTripMs / 2) : undefined;
  const urlOf = (name: string): string =>
    proxy === undefined ? cluster.url(name) : `postgres://postgres@127.0.0.1:${proxy.port}/${name}`;

  return {
    roundTripMs,
    async createDatabase() {
      const name = await cluster.createDatabase();
      await (await openPlantWriter(parseDatabaseUrl(cluster.url(name)))).close();
      return {
        url: urlOf(name),
        pgbenchArgs:
          proxy === undefined
            ? ['-h', cluster.folder, '-p', String(cluster.port), '-U', 'postgres', name]
            : ['-h', '127.0.0.1', '-p', String(proxy.port), '-U', 'postgres', name],
        async count() {
          const [row] = await cluster.query(name, 'SELECT COUNT(*) AS count FROM plants');
          return Number(row?.count);
        },
        async empty() {
          await cluster.query(name, 'TRUNCATE plants');
          // Or the server would write down in the middle of one round what others have left.
          await cluster.query(name, 'CHECKPOINT');
        },
      };
    },
    cpuMicros: () => treeCpuMicros(cluster),
    async stop() {
      await proxy?.stop();
      await cluster.remove();
    },
  };
}

async function startProxy(cluster: Cluster, delayMs: number) {
  const socket = `${cluster.folder}/.s.PGSQL.${cluster.port}`;
  const args = [
    '--import',
    'tsx',
    'scripts/bench/postgres/delay-proxy.ts',
    socket,
    String(delayMs),
  ];
  const child = startNode(args, {}, 'pipe');
  if (child.stdout === null) throw new Error('the proxy says nothing');
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(port), stop: () => endProcess(child) };
}

/** Of the first process, of those that it has started, and of those that have ended (proc_pid_stat(5)). */
function treeCpuMicros(cluster: Cluster): number {
  const first = readFileSync(`${cluster.folder}/data/postmaster.pid`, 'utf8').split('\n')[0] ?? '';
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    if (pid !== first && fields[1] !== first) continue;
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
    ticks += (user ?? 0) + (system ?? 0);
    if (pid === first) ticks += (endedUser ?? 0) + (endedSystem ?? 0);
  }
  return ticks * TICK_MICROS;
}

/** The fields behind the name, which may hold spaces; none where the process has ended meanwhile. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}
