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

describe('a constant', () => {
  const typeOf = async (schema: string, openapi = '3.1.0'): Promise<string | undefined> => {
    const contract = contractOf(
      { '/': { get: { operationId: 'get', responses: { '204': { description: '' } } } } },
      { openapi, components: { schemas: { One: { properties: { one: 'SCHEMA' } } } } },
    );
    const text = JSON.stringify(contract).replace('"SCHEMA"', schema);
    return /\bone\?: ([^]*?);\n/.exec(await contractTypes(text))?.[1];
  };

  it.each([
    ['{"const":9007199254740993}', '9007199254740993n'],
    ['{"type":"integer","enum":[1,-9007199254740993]}', '1n | -9007199254740993n'],
    ['{"enum":["all",9007199254740993,null]}', '"all" | 9007199254740993n | null'],
    ['{"type":["integer","null"],"enum":[9007199254740993,null]}', '9007199254740993n | null'],
    ['{"type":"integer","format":"int64","enum":[1,2]}', '1n | 2n'],
    ['{"type":"array","items":{"format":"int64","enum":[1,2]}}', '(1n | 2n)[]'],
    ['{"const":[9007199254740993]}', 'unknown'],
    ['{"enum":[1,1.5,"a"]}', '1 | 1.5 | "a"'],
    ['{"const":9007199254740991}', '9007199254740991'],
  ])('has the type of what a handler gets: %s', async (schema, type) => {
    expect(await typeOf(schema)).toBe(type);
  });

  it('of OpenAPI 3.0 may be null as well', async () => {
    const schema = '{"type":"integer","nullable":true,"enum":[9007199254740993,null]}';

    expect(await typeOf(schema, '3.0.3')).toBe('9007199254740993n | null');
  });

  it('is shown digit for digit', async () => {
    const types = await contractTypes(
      JSON.stringify(
        contractOf(
          { '/': { get: { operationId: 'get', responses: { '204': { description: '' } } } } },
          { components: { schemas: { One: { type: 'integer', example: 'EXAMPLE' } } } },
        ),
      ).replace('"EXAMPLE"', '9007199254740993'),
    );

    expect(types).toContain('@example 9007199254740993 ');
  });
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
