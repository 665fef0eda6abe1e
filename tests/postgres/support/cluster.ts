import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { Client, types } from 'pg';
import type { StoredPlant } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import {
  childrenOf,
  createServerFolder,
  runAsPostgres,
  startAsPostgres,
  type Started,
} from './commands.js';

/** Settings of a server, by their names. */
export type Settings = Readonly<Record<string, string>>;

/** A PostgreSQL server of its own, in a folder of its own, where its socket is too. */
export interface Cluster {
  readonly folder: string;
  /** Of its socket, and of its address where it listens on one. */
  readonly port: number;
  /** The URL of one of its databases, by its socket; as the superuser by default. */
  url(database: string, role?: string): string;
  /** Makes an empty database and resolves with its name. */
  createDatabase(): Promise<string>;
  /** Rows of a statement by the superuser, with integers as bigint. */
  query(database: string, sql: string): Promise<Record<string, unknown>[]>;
  /** All plants in a database, by their ids. */
  plants(database: string): Promise<StoredPlant[]>;
  /** Starts the server, also where the one before has just been killed. */
  start(): Promise<void>;
  /** Sends a signal to all the server's processes. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the server as a power cut would. */
  kill(): Promise<void>;
  /** Stops the server, and removes its folder. */
  remove(): Promise<void>;
}

export interface ClusterOptions {
  /** Beside those without which it would wait for a disk, or listen on the network. */
  readonly settings?: Settings;
  /** Lines of pg_hba.conf; everybody is trusted by default. */
  readonly access?: readonly string[];
  /** A new one by default. */
  readonly folder?: string;
  /** A free one by default. */
  readonly port?: number;
  /** Whether it only reads, and waits for what a primary sends. */
  readonly isStandby?: boolean;
}

const SETTINGS: Settings = {
  listen_addresses: '',
  fsync: 'off',
  max_connections: '200',
  shared_buffers: '32MB',
};
const READY_WITHIN_MS = 30_000;

/** Makes a server in a new folder and starts it. */
export async function startCluster({
  settings = {},
  access,
  folder = createServerFolder(),
  port,
  isStandby = false,
}: ClusterOptions = {}): Promise<Cluster> {
  const data = `${folder}/data`;
  await runAsPostgres('initdb', [
    ...['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--no-sync'],
    ...['--encoding', 'UTF8', '--locale', 'C.UTF-8', '--data-checksums'],
  ]);
  if (access) writeFileSync(`${data}/pg_hba.conf`, `${access.join('\n')}\n`);
  // Beside the command line, for what is started without it: pg_rewind ends a crash recovery by itself.
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(`${data}/postgresql.conf`, lines.join(''));
  if (isStandby) writeFileSync(`${data}/standby.signal`, '');
  const cluster = openCluster(folder, port ?? (await findFreePort()), settings);
  await cluster.start();
  return cluster;
}

/** A port on which nothing listens at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  server.close();
  await once(server, 'close');
  return port;
}

/** The server whose data are in `data/` of a folder. */
export function openCluster(folder: string, port: number, settings: Settings): Cluster {
  const data = `${folder}/data`;
  let server: Started | undefined;

  function url(database: string, role = 'postgres'): string {
    return `postgres://${role}@${encodeURIComponent(folder)}:${port}/${database}`;
  }

  async function query(database: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: folder, port, user: 'postgres', database });
    for (const type of [types.builtins.INT8, types.builtins.INT4])
      client.setTypeParser(type, BigInt);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Undefined where it is not ready yet. */
  async function tryQuery(): Promise<true | undefined> {
    try {
      await query('postgres', 'SELECT 1');
      return true;
    } catch (error) {
      if (server?.child.exitCode === null) return undefined;
      throw new Error(`the server has ended: ${server?.output() ?? ''}`, { cause: error });
    }
  }

  async function launch(): Promise<true | undefined> {
    const all = Object.entries({
      ...SETTINGS,
      unix_socket_directories: folder,
      port: String(port),
      ...settings,
    });
    server = startAsPostgres('postgres', [
      ...['-D', data],
      ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    try {
      return await eventually(tryQuery, READY_WITHIN_MS);
    } catch (error) {
      // The children of one that was killed are still about to end.
      if (/shared memory block|lock file/.test(server.output())) return undefined;
      throw error;
    }
  }

  /** Its first process before the others, which would end with it. */
  function signal(name: NodeJS.Signals): void {
    if (server?.child.exitCode !== null || server.child.signalCode !== null) return;
    const children = childrenOf(server.child);
    server.child.kill(name);
    for (const pid of children) sendSignal(pid, name);
  }

  async function kill(): Promise<void> {
    signal('SIGKILL');
    await server?.exited;
    // The process that it names may be another one by the next start.
    rmSync(`${data}/postmaster.pid`, { force: true });
  }

  return {
    folder,
    port,
    url,
    query,
    async plants(database) {
      const rows: unknown[] = await query(database, 'SELECT id, name, tag FROM plants ORDER BY id');
      return rows as StoredPlant[]; // the columns and their types
    },
    async createDatabase() {
      const name = `plants_${randomInt(2 ** 40)}`;
      await query('postgres', `CREATE DATABASE ${name}`);
      return name;
    },
    start: async () => {
      await eventually(launch, READY_WITHIN_MS);
    },
    signal,
    kill,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
