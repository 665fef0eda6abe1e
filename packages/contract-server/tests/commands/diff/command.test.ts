import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { runContractDiff } from '../../../src/commands/diff/command.js';
import { contractOf } from './row.js';

const ROOT = new URL('../../../../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'contract-diff-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runContractDiff(args, ROOT);

function write(name: string, contract: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(contract));
  return path;
}

const operation = (operationId: string) => ({
  operationId,
  responses: { '204': { description: 'Done.' } },
});
const version = (number: string) => ({ info: { title: 'things', version: number } });
const both = { get: operation('a'), put: operation('b') };
const old = write('old.json', contractOf({ '/a': both }, version('1.4.0')));

describe('contract-server diff', () => {
  it('exits with 0 where nothing breaks', async () => {
    const now = contractOf({ '/a': both, '/b': { get: operation('c') } }, version('1.4.0'));

    const { exitCode, stdout } = await run(old, write('added.json', now));

    expect(stdout).toBe(
      `compatible  GET /b  operation: added: nobody calls it yet\n1 change since ${old}, 0 breaking`,
    );
    expect(exitCode).toBe(0);
  });

  it('exits with 1 where something breaks and the version has no new major', async () => {
    const now = contractOf({ '/a': { get: operation('a') } }, version('1.5.0'));

    const { exitCode, stdout } = await run(old, write('minor.json', now));

    expect(stdout).toBe(
      [
        'breaks      PUT /a  operation: removed: clients that call it find nothing',
        `1 change since ${old}, 1 breaking: undo what breaks, or let info.version grow from 1.4.0 to 2.0.0; it is 1.5.0`,
      ].join('\n'),
    );
    expect(exitCode).toBe(1);
  });

  it('exits with 0 where something breaks under a new major', async () => {
    const now = contractOf({ '/a': { get: operation('a') } }, version('2.0.0'));

    const { exitCode, stdout } = await run(old, write('major.json', now));

    expect(stdout).toContain('1 breaking, which the new major version says: 1.4.0 -> 2.0.0');
    expect(exitCode).toBe(0);
  });

  it('compares with api/openapi.yaml where there is one file', async () => {
    const { exitCode, stdout } = await run(join(ROOT, 'api/openapi.yaml'));

    expect(stdout).toMatch(/^nothing that clients could notice has changed since /);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['a file that is not there', ['nowhere.yaml'], "nowhere.yaml can't be read: ENOENT"],
    [
      'a file that is not a contract',
      ['package.json'],
      'package.json is not a valid contract: /openapi:',
    ],
    ['too many files', ['a', 'b', 'c'], 'usage: contract-server diff'],
    ['an unknown option', ['--major'], 'usage: contract-server diff'],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);

    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  it('is a process that says so', () => {
    const now = contractOf({ '/a': { get: operation('a') } }, version('1.5.0'));

    const { status, stdout } = spawnSync(
      process.execPath,
      ['packages/contract-server/bin/contract-server.js', 'diff', old, write('process.json', now)],
      { cwd: ROOT, encoding: 'utf8' },
    );

    expect(stdout).toMatch(/^breaks .*\n1 change since /);
    expect(status).toBe(1);
  });
});
