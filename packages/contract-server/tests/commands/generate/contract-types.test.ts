import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contractTypes } from '../../../src/commands/generate/contract-types.js';
import { contractOf } from '../../support/fixture.js';

const FIXTURES = new URL('../../../../../tests/fixtures/', import.meta.url);

describe('contractTypes', () => {
  it.each(['library.yaml', 'train-travel.yaml'])(
    'makes of %s the declarations that the handlers depend on',
    async (name) => {
      expect(await contractTypes(readFileSync(new URL(name, FIXTURES), 'utf8'))).toMatchSnapshot();
    },
  );
});

it('calls an operation by its name, whatever characters that has', async () => {
  const get = { responses: { '204': { description: '' } } };
  const named = { ...get, operationId: 'things#list' };
  const contract = contractOf({ '/#A=1': { get }, '/things': { get: named } });

  const types = await contractTypes(JSON.stringify(contract));

  expect(types).toContain('get: operations["GET /#A=1"];');
  expect(types).toContain('get: operations["things#list"];');
  expect(types).toMatch(/"GET \/#A=1": \{[^"]*unsupported: true;/);
  expect(types).toMatch(/"things#list": \{/);
});

describe('openapi-typescript', () => {
  it('is imported by one file only', () => {
    const importing = ['src', 'scripts', 'tests', 'packages']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
          join(folder, file),
        ),
      )
      .filter((file) => file.endsWith('.ts') && !/node_modules|\/dist\//.test(file))
      .filter((file) => /^import .* from 'openapi-typescript'/m.test(readFileSync(file, 'utf8')));

    expect(importing).toEqual(['packages/contract-server/src/commands/generate/contract-types.ts']);
  });

  it('is pinned to the version whose output is tested here', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: Record<string, string>;
    };

    expect(devDependencies['openapi-typescript']).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
