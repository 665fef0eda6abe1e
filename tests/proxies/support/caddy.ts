import { writeFileSync } from 'node:fs';
import { shipped, type ProxyProgram } from './proxy.js';

/** Caddy as deploy/caddy has it. */
export const caddy: ProxyProgram = {
  name: 'caddy',
  path: '/usr/bin/caddy',
  asksReadiness: true,
  fitted: { 'read_body 35s': 'read_body 2s' },
  strict: undefined,
  impatient: { 'response_header_timeout 35s': 'response_header_timeout 1s' },
  configure({ folder, port, upstreams, certificate, replacements }) {
    const text = shipped('caddy/Caddyfile', {
      'reverse_proxy plants-1:3000 plants-2:3000': `reverse_proxy ${upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' ')}`,
      ':443 {': `:${port} {\n\tbind 127.0.0.1`,
      '{\n\tservers {': '{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {',
      '/etc/ssl/plant-store/tls.crt': certificate.certificateFile,
      '/etc/ssl/plant-store/tls.key': certificate.keyFile,
      ...replacements,
    });
    writeFileSync(`${folder}/Caddyfile`, text);
    return ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'];
  },
};
