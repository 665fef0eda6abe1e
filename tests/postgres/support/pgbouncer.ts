import { rmSync, writeFileSync } from 'node:fs';
import { eventually } from '../../support/eventually.js';
import type { Cluster } from './cluster.js';
import { createServerFolder, startAsPostgres } from './commands.js';

/** A pooler in front of a server, which gives its connections to others between two transactions. */
export interface Pooler {
  url(database: string): string;
  remove(): Promise<void>;
}

const PORT = 6432;
const READY_WITHIN_MS = 10_000;

export async function startPgbouncer(cluster: Cluster): Promise<Pooler> {
  const folder = createServerFolder();
  const path = `${folder}/pgbouncer.ini`;
  writeFileSync(
    path,
    `[databases]
* = host=${cluster.folder} port=${cluster.port} user=postgres

[pgbouncer]
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  const pooler = startAsPostgres('/usr/sbin/pgbouncer', [path]);
  await eventually(() => pooler.output().includes('process up') || undefined, READY_WITHIN_MS);
  return {
    url: (database) => `postgres://postgres@${encodeURIComponent(folder)}:${PORT}/${database}`,
    async remove() {
      pooler.child.kill('SIGKILL');
      await pooler.exited;
      rmSync(folder, { recursive: true });
    },
  };
}
