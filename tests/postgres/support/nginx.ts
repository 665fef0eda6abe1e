import { once } from 'node:events';
import { connect } from 'node:net';
import { rmSync, writeFileSync } from 'node:fs';
import { eventually } from '../../support/eventually.js';
import { findFreePort } from './cluster.js';
import { childrenOf, createServerFolder, startAsPostgres } from './commands.js';

/** A proxy in front of several replicas of the service. */
export interface Proxy {
  readonly url: string;
  /** From now on passes requests to these ports alone; resolves once none is on its way to another. */
  route(ports: readonly number[]): Promise<void>;
  remove(): Promise<void>;
}

const READY_WITHIN_MS = 20_000;

/** Starts nginx as docs/postgres.md has it configured. */
export async function startNginx(ports: readonly number[]): Promise<Proxy> {
  const folder = createServerFolder();
  const port = await findFreePort();
  const path = `${folder}/nginx.conf`;
  const configure = (upstreams: readonly number[]): void => {
    writeFileSync(path, configuration(folder, port, upstreams));
  };

  configure(ports);
  const nginx = startAsPostgres('/usr/sbin/nginx', ['-e', 'stderr', '-c', path]);
  await eventually(() => answers(port), READY_WITHIN_MS);
  return {
    url: `http://127.0.0.1:${port}`,
    async route(upstreams) {
      const before = childrenOf(nginx.child);
      configure(upstreams);
      nginx.child.kill('SIGHUP');
      // A worker ends once it has answered what it had taken before.
      await eventually(
        () => !childrenOf(nginx.child).some((pid) => before.includes(pid)) || undefined,
        READY_WITHIN_MS,
      );
    },
    async remove() {
      nginx.child.kill('SIGTERM');
      await nginx.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

const configuration = (folder: string, port: number, upstreams: readonly number[]): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream plants {
${upstreams.map((upstream) => `    server 127.0.0.1:${upstream} max_fails=1 fail_timeout=1s;`).join('\n')}
    keepalive 64;
    keepalive_timeout 30s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://plants;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_connect_timeout 1s;
    }
  }
}
`;

async function answers(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
