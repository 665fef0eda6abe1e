import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from '../../src/config.js';
import { describeWith } from '../hostile/tool.js';
import { createFolder } from '../support/service.js';
import { run } from './command.js';

const DEPLOY = new URL('../../deploy/', import.meta.url).pathname;
/** Where .ci/run puts a Python package that carries Kubernetes's own schemas. */
const KUBERNETES_VALIDATE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'plant-store/python/bin/kubernetes-validate',
);
/** The oldest one that is still supported, and the newest that the schemas are there of. */
const KUBERNETES_VERSIONS = ['1.33.0', '1.37.0'];
function textOf(file: string): string {
  return readFileSync(join(DEPLOY, file), 'utf8');
}

describeWith(KUBERNETES_VALIDATE)('deploy/kubernetes', () => {
  const path = join(DEPLOY, 'kubernetes/plant-store.yaml');

  it.each(KUBERNETES_VERSIONS)('is what Kubernetes %s takes, to the last member', (version) => {
    const validate = (file: string) =>
      run(KUBERNETES_VALIDATE, ['--strict', '--quiet', '--kubernetes-version', version, file]);

    expect(validate(path)).toEqual({ status: 0, output: '' });

    const wrong = join(createFolder(), 'wrong.yaml');
    writeFileSync(
      wrong,
      readFileSync(path, 'utf8').replace('readOnlyRootFilesystem', 'readOnlyRoot'),
    );
    expect(validate(wrong)).toMatchObject({
      status: 1,
      output: expect.stringContaining('readOnlyRoot'),
    });
  });
});

describeWith('/usr/bin/docker-compose')('deploy/compose.yaml', () => {
  const env = { DATABASE_PASSWORD: 'secret' };
  const config = (settings: Record<string, string>) =>
    run('docker-compose', ['--file', join(DEPLOY, 'compose.yaml'), 'config'], settings);

  it('is what Docker Compose takes, with files that are there', () => {
    const { status, output } = config(env);

    expect({ status, output }).toMatchObject({ status: 0 });
    const mounted = [...output.matchAll(/^ +- (\/.*):\/.*:ro$/gm)].map(([, path = '']) => path);
    expect(mounted.length).toBeGreaterThan(2);
    expect(
      mounted.filter((path) => !path.startsWith(`${DEPLOY}secrets/`) && !existsSync(path)),
    ).toEqual([]);
  });

  it('does not start without a password', () => {
    expect(config({ DATABASE_PASSWORD: '' })).toMatchObject({
      status: 1,
      output: expect.stringContaining('DATABASE_PASSWORD'),
    });
  });

  it('calls the copies of the service as nginx does', () => {
    const servers = [...textOf('nginx/plant-store.conf').matchAll(/^ +server (\S+):3000 /gm)];

    expect(servers.map(([, name]) => name)).toEqual(['plants-1', 'plants-2']);
    expect(textOf('compose.yaml')).toMatch(/^ {2}plants-1: \*plants\n {2}plants-2: \*plants\n/m);
  });
});

describe('deploy/', () => {
  const variables = Object.values(SETTINGS).map(({ variable }) => variable);

  it.each([
    ['Dockerfile', /(?:^ENV | )([A-Z_]+)=/gm],
    ['compose.yaml', /^ {4}([A-Z_]+): /gm],
    ['kubernetes/plant-store.yaml', /\{ name: ([A-Z_]+), value/g],
    ['systemd/plant-store.service', /^Environment=([A-Z_]+)=/gm],
  ])('%s sets nothing that the service does not know', (file, setting) => {
    const set = [...textOf(file).matchAll(setting)].map(([, variable = '']) => variable);

    expect(set.length).toBeGreaterThan(2);
    expect(set.filter((name) => !variables.includes(name))).toEqual(
      set.filter((name) => ['NODE_ENV', 'PGPASSWORD'].includes(name)),
    );
  });

  it('has one user, and one way to start the service', () => {
    const { scripts } = JSON.parse(textOf('../package.json')) as { scripts: { start: string } };
    const start = scripts.start.split(' ');

    expect(textOf('systemd/plant-store.service')).toContain(
      `ExecStart=/usr/bin/${scripts.start}\n`,
    );
    expect(textOf('Dockerfile').replaceAll(/[",[\]]/g, '')).toContain(
      `ENTRYPOINT /usr/local/bin/${start.slice(0, -1).join(' ')}\nCMD ${start.at(-1) ?? ''}\n`,
    );
    expect(textOf('Dockerfile')).toContain('USER 65532:65532');
    expect(textOf('kubernetes/plant-store.yaml')).toMatch(
      /runAsUser: 65532\n +runAsGroup: 65532\n/,
    );
  });
});
