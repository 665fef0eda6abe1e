import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readContract } from 'contract-server';
import { checkOperations, listOperations } from 'contract-server/contract';
import { findSampleRequest } from 'create-contract-service';
import { runCommand, startCommand, type Finished } from './command.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = join(ROOT, 'packages/create-contract-service/bin/create-contract-service.js');
const folder = mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'created-'));
const minutes: string[] = [];

/** The user whose password the first token is. */
const USER = 'first';

afterAll(() => {
  console.log(['minutes from the contract to the last answer:', ...minutes].join('\n  '));
});

describe.each([
  ['library', ['--add-responses']],
  ['train-travel', ['--add-responses']],
  ['bookings', []],
  ['published', ['--as-published']],
])('a project made for %s.yaml', (name, options) => {
  const project = join(folder, name);
  let startedAt = 0;
  const npm = (...args: string[]): Promise<Finished> => runCommand(project, 'npm', args);

  it('is made by one command', async () => {
    const contract = join(ROOT, `tests/fixtures/${name}.yaml`);
    startedAt = performance.now();

    const made = await runCommand(folder, process.execPath, [
      PROGRAM,
      project,
      '--contract',
      contract,
      ...options,
    ]);

    expect(made).toMatchObject({ code: 0 });
    const files = readdirSync(project, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /\.(ts|js|json|md)$/.test(file));
    for (const file of sources) {
      expect(readFileSync(join(project, file), 'utf8')).not.toMatch(/plant/i);
    }
  });

  it('installs', async () => {
    expect(await npm('install', '--prefer-offline', '--no-audit', '--no-fund')).toMatchObject({
      code: 0,
    });
  });

  it('compiles, with the types of its contract', async () => {
    expect(await npm('run', 'check')).toMatchObject({ code: 0 });
  });

  it('passes its tests, and says how much of the contract they have seen', async () => {
    const { code, output } = await npm('test');

    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Contract coverage of ".*": \d+\.\d %/),
    });
    minutes.push(`${name}: tests passed, ${/Contract coverage.*/.exec(output)?.[0] ?? ''}`);
  });

  it('does not start with the types of another contract, and makes no token then', async () => {
    const contract = join(project, 'api/openapi.yaml');
    const before = readFileSync(contract, 'utf8');
    expect(await npm('run', 'build')).toMatchObject({ code: 0 });
    writeFileSync(contract, before.replace(/(title: .*)/, '$1 of another one'));

    const started = await runCommand(project, process.execPath, ['dist/src/main.js']);
    writeFileSync(contract, before);

    expect(started).toMatchObject({ code: 2, output: expect.stringContaining('another contract') });
    expect(existsSync(join(project, 'data'))).toBe(false);
  });

  it('starts, and answers every operation', async () => {
    const service = await startCommand(project, 'npm', ['start']);
    const document = await readContract(join(project, 'api/openapi.yaml'));
    const token = readFileSync(join(project, 'data/first-token'), 'utf8').trim();
    const basic = Buffer.from(`${USER}:${token}`).toString('base64');
    const schemes = document.root.components?.securitySchemes ?? {};

    const operations = listOperations(document);
    const { unsupported } = checkOperations(document, operations);
    const statuses: number[] = [];
    for (const operation of operations.filter((one) => !unsupported.has(one))) {
      const headers: Record<string, string> = {};
      for (const scheme of Object.keys(operation.security[0] ?? {})) {
        const declared = schemes[scheme] as Record<string, string>; // of the fixtures
        if (declared.type === 'apiKey') headers[declared.name ?? ''] = token;
        else
          headers.Authorization =
            declared.scheme === 'basic' ? `Basic ${basic}` : `Bearer ${token}`;
      }
      const credentials = { headers, query: [] };
      const sample = await findSampleRequest(document, operation, service.url, credentials);
      statuses.push(sample.status);
    }
    const log = await service.stop();

    expect(statuses.every((status) => status >= 200 && status < 300)).toBe(true);
    expect(log).toContain('"msg":"stopped"');
    minutes.push(`${name}: ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
  });
});

describe('a project', () => {
  const run = (...args: string[]): Promise<Finished> =>
    runCommand(folder, process.execPath, [PROGRAM, ...args]);
  const bookings = join(ROOT, 'tests/fixtures/bookings.yaml');

  it.each<[string, readonly string[], number, string]>([
    ['a contract that is not there', ['new', '--contract', 'no.yaml'], 1, 'no.yaml'],
    ['no contract', ['new'], 2, '--contract FILE'],
    ['no folder', ['--contract', bookings], 2, 'a folder is missing'],
    ['an unknown option', ['new', '--contract', bookings, '--fast'], 2, '--fast'],
    ['a folder that is used', ['.', '--contract', bookings], 1, 'is not empty'],
    [
      'a contract that lacks responses',
      ['new', '--contract', join(ROOT, 'tests/fixtures/library.yaml')],
      1,
      'x-unmatched-responses:',
    ],
    ['what is no contract', ['new', '--contract', join(ROOT, 'package.json')], 1, '/openapi'],
    ['a folder that can not be written', ['/proc/new', '--contract', bookings], 1, 'ENOENT'],
  ])('is not made of %s', async (_case, args, code, said) => {
    const before = readdirSync(folder);

    const { code: found, output } = await run(...args);

    expect({ code: found, output }).toEqual({ code, output: expect.stringContaining(said) });
    expect(readdirSync(folder)).toEqual(before);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });
});
