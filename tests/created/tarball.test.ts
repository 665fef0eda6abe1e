import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { runCommand, startCommand } from './command.js';

const VENDOR = fileURLToPath(
  new URL('../../packages/create-contract-service/vendor/', import.meta.url),
);
const tarball = readdirSync(VENDOR).find((file) => file.startsWith('contract-server-')) ?? '';

const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Hello', version: '1.0.0' },
  paths: {
    '/hello': {
      get: {
        operationId: 'hello',
        responses: {
          '200': {
            description: 'A greeting.',
            content: { 'application/json': { schema: { type: 'string' } } },
          },
        },
      },
    },
  },
};

/** The same in JavaScript and, where the types are those of the contract, in TypeScript. */
const service = (types: string, parameters: string): string => `
import { createContractApp, readContract, runService, SERVICE_SETTINGS } from 'contract-server';
${types}
await runService({
  settings: SERVICE_SETTINGS,
  errorBody: ({ code, message }) => ({ code, message }),
  async open(start) {
    const document = await readContract('openapi.json');
    const app = await createContractApp${parameters}({
      ...start,
      document,
      handlers: { hello: () => ({ status: 200, body: 'world' }) },
      strategies: {},
      errorBody: ({ code, message }) => ({ code, message }),
      undeclaredErrors: 'send',
    });
    return { app };
  },
});
`;

async function install(...packages: string[]): Promise<string> {
  const folder = mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'tarball-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(CONTRACT));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', join(VENDOR, tarball)];
  expect(await runCommand(folder, 'npm', [...args, ...packages])).toMatchObject({ code: 0 });
  return folder;
}

async function expectGreeting(folder: string, file: string): Promise<void> {
  const { url, stop } = await startCommand(folder, process.execPath, [file]);
  const response = await fetch(`${url}/hello`);

  expect([response.status, await response.text()]).toEqual([200, '"world"']);
  expect(await stop()).toContain('"msg":"stopped"');
}

describe('the tarball of contract-server', () => {
  it('works in an empty folder for who writes JavaScript', async () => {
    const folder = await install();
    writeFileSync(join(folder, 'service.js'), service('', ''));

    await expectGreeting(folder, 'service.js');
  });

  it('works in an empty folder for who writes TypeScript', async () => {
    const folder = await install('typescript@5.9', 'openapi-typescript@7', '@types/node@20');
    const generated = await runCommand(folder, process.execPath, [
      'node_modules/contract-server/bin/contract-server.js',
      'generate',
      'openapi.json',
      '--out',
      'openapi.ts',
    ]);
    const types = "import type { operations } from './openapi.js';\n";
    writeFileSync(join(folder, 'service.ts'), service(types, '<operations, undefined>'));
    const options = '--target es2022 --module nodenext --strict --types node'.split(' ');
    const compiled = await runCommand(folder, process.execPath, [
      'node_modules/typescript/bin/tsc',
      ...options,
      'service.ts',
    ]);

    expect([generated, compiled]).toEqual([
      { code: 0, output: '' },
      { code: 0, output: '' },
    ]);
    await expectGreeting(folder, 'service.js');
  });
});
