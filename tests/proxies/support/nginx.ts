import { writeFileSync } from 'node:fs';
import { eventually } from '../../support/eventually.js';
import { childrenOf } from '../../postgres/support/commands.js';
import { shipped, startProxy, type Proxy, type ProxyProgram, type ProxySetup } from './proxy.js';

/** nginx as deploy/nginx has it. */
export const nginx: ProxyProgram = {
  name: 'nginx',
  path: '/usr/sbin/nginx',
  asksReadiness: false,
  fitted: { 'rate=500r/s': 'rate=1000000r/s' },
  strict: { 'burst=1000': 'burst=2', 'rate=500r/s': 'rate=1r/s' },
  impatient: { 'proxy_read_timeout 35s': 'proxy_read_timeout 1s' },
  configure(setup) {
    writeConfiguration(setup);
    return ['-e', 'stderr', '-c', `${setup.folder}/nginx.conf`];
  },
};

/** Where one may say, while it runs, which copies of the service it passes requests to. */
export interface RoutingProxy extends Proxy {
  /** From now on passes requests to these ports alone; resolves once none is on its way to another. */
  route(ports: readonly number[]): Promise<void>;
}

const ROUTED_WITHIN_MS = 20_000;

export async function startNginx(ports: readonly number[]): Promise<RoutingProxy> {
  const { setup, ...proxy } = await startProxy(nginx, ports, nginx.fitted);
  const { child } = proxy.server;
  return {
    ...proxy,
    async route(upstreams) {
      const before = childrenOf(child);
      writeConfiguration({ ...setup, upstreams });
      child.kill('SIGHUP');
      // A worker ends once it has answered what it had taken before.
      await eventually(
        () => !childrenOf(child).some((pid) => before.includes(pid)) || undefined,
        ROUTED_WITHIN_MS,
      );
    },
  };
}

function writeConfiguration(setup: ProxySetup): void {
  const { folder, port, upstreams, certificate, replacements } = setup;
  const [first, second] = ['plants-1:3000', 'plants-2:3000'].map(
    (address) => `  server ${address} max_fails=1 fail_timeout=1s;\n`,
  );
  const site = shipped('nginx/plant-store.conf', {
    [`${first}${second}`]: upstreams
      .map((upstream) => first?.replace('plants-1:3000', `127.0.0.1:${upstream}`))
      .join(''),
    'listen 443 ': `listen 127.0.0.1:${port} `,
    '/etc/ssl/plant-store/tls.crt': certificate.certificateFile,
    '/etc/ssl/plant-store/tls.key': certificate.keyFile,
    '/var/log/nginx/access.log': `${folder}/access.log`,
    ...replacements,
  });
  writeFileSync(`${folder}/plant-store.conf`, site);
  writeFileSync(`${folder}/nginx.conf`, surroundings(folder));
}

/** What Debian's own nginx.conf says elsewhere. */
const surroundings = (folder: string): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 2048; }
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/plant-store.conf;
}
`;
