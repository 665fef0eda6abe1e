import { writeFileSync } from 'node:fs';
import { shipped, type ProxyProgram } from './proxy.js';

/** HAProxy as deploy/haproxy has it. */
export const haproxy: ProxyProgram = {
  name: 'haproxy',
  path: '/usr/sbin/haproxy',
  asksReadiness: true,
  fitted: { 'sc_gpc0_rate(0) ge 500': 'sc_gpc0_rate(0) ge 1000000' },
  strict: { 'sc_gpc0_rate(0) ge 500': 'sc_gpc0_rate(0) ge 2' },
  impatient: { 'timeout server 35s': 'timeout server 1s' },
  configure({ folder, port, upstreams, certificate, replacements }) {
    const [first, second] = ['plants-1', 'plants-2'].map(
      (name) => `  server ${name} ${name}:3000\n`,
    );
    const text = shipped('haproxy/haproxy.cfg', {
      [`${first}${second}`]: upstreams
        .map((upstream, n) => `  server plants-${n} 127.0.0.1:${upstream}\n`)
        .join(''),
      'bind :443 ': `bind 127.0.0.1:${port} `,
      '/etc/ssl/plant-store/tls.pem': certificate.bothFile,
      'log /dev/log local0': 'log stderr format raw local0 warning',
      ...replacements,
    });
    writeFileSync(`${folder}/haproxy.cfg`, text);
    return ['-db', '-f', `${folder}/haproxy.cfg`];
  },
};
