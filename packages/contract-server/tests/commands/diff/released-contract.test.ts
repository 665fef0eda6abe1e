import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readReleasedContract } from '../../../src/commands/diff/released-contract.js';
import { versionOf } from '../../../src/commands/diff/version.js';
import { contractOf } from './row.js';

const AUTHOR = ['-c', 'user.name=someone', '-c', 'user.email=someone@example.org'];

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'released-contract-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(file: string, content: object): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify(content));
}

function contract(version: string, paths: object = {}): object {
  return contractOf(paths, { info: { title: 'things', version } });
}

function git(...args: string[]): void {
  execFileSync('git', [...AUTHOR, ...args], { cwd: root, stdio: 'pipe' });
}

function commit(...tags: string[]): void {
  git('add', '.');
  git('commit', '--quiet', '--no-verify', '--message', 'a change');
  for (const tag of tags) git('-c', 'tag.gpgSign=false', 'tag', tag);
}

describe('the released contract', () => {
  it('is that of the newest release tag, not of the last commit or of a candidate', async () => {
    git('init', '--quiet');
    for (const version of ['1.9.0', '1.10.0', '1.11.0-rc.1']) {
      write('api/openapi.yaml', contract(version));
      commit(`v${version}`);
    }
    write('api/openapi.yaml', contract('1.11.0'));

    const { name, document } = await readReleasedContract(root);

    expect(name).toBe('v1.10.0');
    expect(versionOf(document)).toBe('1.10.0');
  });

  it('is not that of a release that led to something else', async () => {
    git('init', '--quiet', '--initial-branch', 'main');
    write('api/openapi.yaml', contract('1.0.0'));
    commit('v1.0.0');
    git('switch', '--quiet', '--create', 'other');
    write('api/openapi.yaml', contract('2.0.0'));
    commit('v2.0.0');
    git('switch', '--quiet', 'main');

    expect((await readReleasedContract(root)).name).toBe('v1.0.0');
  });

  it('may be in several files', async () => {
    git('init', '--quiet');
    write('api/openapi.yaml', contract('1.0.0', { '/a': { $ref: 'paths/a.json' } }));
    write('api/paths/a.json', { get: { responses: { '204': { description: 'Done.' } } } });
    commit('v1.0.0');
    rmSync(join(root, 'api/paths'), { recursive: true });

    const { document } = await readReleasedContract(root);

    expect(document.resolve(document.root.paths?.['/a'])).toHaveProperty('get.responses.204');
  });

  it.each([
    ['there is no git', []],
    ['nothing has been released', [['init', '--quiet']]],
  ])('is api/released.yaml where %s', async (_, commands) => {
    write('api/released.yaml', contract('1.2.0'));
    for (const command of commands) git(...command);

    const { name, document } = await readReleasedContract(root);

    expect(name).toBe('api/released.yaml');
    expect(versionOf(document)).toBe('1.2.0');
  });
});
