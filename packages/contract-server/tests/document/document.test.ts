import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../support/contract-problems.js';
import request from 'supertest';
import { parseContract, readContract } from '../../src/index.js';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';
import { createFolder } from '../support/folder.js';

/** Writes some files into a new folder; the path of the first. */
function write(files: Readonly<Record<string, string | object>>): string {
  const folder = createFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return join(folder, Object.keys(files)[0] ?? '');
}

const sendTo = (schema: unknown) => ({
  operationId: 'send',
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: { ...engineResponses, '204': { description: '' } },
});

async function statusesOf(path: string, bodies: readonly unknown[]): Promise<number[]> {
  const { root } = await readContract(path);
  const { app } = await serveFixture(root, { send: () => ({ status: 204 }) });
  const statuses: number[] = [];
  for (const body of bodies) {
    const response = await request(app).post('/a').type('json').send(JSON.stringify(body));
    statuses.push(response.status);
  }
  return statuses;
}

describe('OpenAPI 3.1.0 §4.3 a document in several files', () => {
  it.each([
    [
      'YAML with a pointer into it',
      './schemas/all.yaml#/Named',
      { 'schemas/all.yaml': 'Named:\n  type: object\n  required: [name]\n' },
    ],
    ['a whole JSON file', 'named.json', { 'named.json': { type: 'object', required: ['name'] } }],
    [
      'a file that refers to another, relative to itself',
      'schemas/one.yaml',
      {
        'schemas/one.yaml': '$ref: "./deeper/two.yaml#/$defs/Named"\n',
        'schemas/deeper/two.yaml': '$defs:\n  Named: {type: object, required: [name]}\n',
      },
    ],
    [
      'files that refer to each other',
      'tree.yaml',
      {
        'tree.yaml':
          'type: object\nrequired: [name]\nproperties: {next: {$ref: "node.yaml#/Node"}}\n',
        'node.yaml': 'Node: {type: object, properties: {tree: {$ref: "tree.yaml"}}}\n',
      },
    ],
    [
      'a file that refers back to the contract',
      'back.yaml',
      { 'back.yaml': '$ref: "openapi.json#/components/schemas/Named"\n' },
    ],
  ])('%s', async (_case, $ref, files) => {
    const contract = contractOf(
      { '/a': { post: sendTo({ $ref }) } },
      { components: { schemas: { Named: { type: 'object', required: ['name'] } } } },
    );

    expect(
      await statusesOf(write({ 'openapi.json': contract, ...files }), [{ name: 'a' }, {}]),
    ).toEqual([204, 400]);
  });

  it('a path item in a file of its own', async () => {
    const contract = contractOf({ '/a': { $ref: 'a.json' } });
    const item = { post: sendTo({ $ref: 'named.yaml' }) };

    const path = write({
      'openapi.json': contract,
      'a.json': item,
      'named.yaml': 'type: object\nrequired: [name]\n',
    });

    expect(await statusesOf(path, [{ name: 'a' }, {}])).toEqual([204, 400]);
  });

  it.each([
    ['a file that isn’t there', 'none.yaml', {}, /none\.yaml/],
    ['nothing at the pointer', 'a.yaml#/None', { 'a.yaml': 'Some: {}\n' }, /None/],
    ['a file that isn’t YAML', 'a.yaml', { 'a.yaml': 'a: [\n' }, /a\.yaml/],
    ['something on the web', 'http://127.0.0.1:1/a.yaml', {}, /127\.0\.0\.1/],
  ])('is refused: %s', async (_case, $ref, files, problem) => {
    const contract = contractOf({ '/a': { post: sendTo({ $ref }) } });

    const problems = await problemsOf(readContract(write({ 'openapi.json': contract, ...files })));

    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('what is wrong with a document is told with its place', () => {
  it.each([
    ['YAML', 'openapi: 3.1.0\ninfo:\n  title: a\n  version: 1\npaths: {}\n'],
    ['JSON', '{"openapi": "3.1.0",\n"info":\n  {"title": "a",\n  "version": 1}, "paths": {}}'],
  ])('%s', async (_case, text) => {
    const problems = await problemsOf(readContract(write({ 'openapi.yaml': text })));

    expect(problems).toEqual(['openapi.yaml:4:3 /info/version: must be string']);
  });

  it('in another file', async () => {
    const path = write({
      'openapi.yaml':
        'openapi: 3.0.3\ninfo: {title: a, version: "1"}\npaths:\n  /a:\n    $ref: a.yaml\n',
      'a.yaml': 'get:\n  operationId: a\n  responses:\n    "200":\n      content: {}\n',
    });

    const problems = await problemsOf(readContract(path));

    expect(problems).toContainEqual(
      "a.yaml:4:5 /paths/~1a/get/responses/200: must have required property 'description'",
    );
  });

  it.each([
    ['not JSON', 'openapi.json', '{"openapi": }', /openapi\.json/],
    ['not YAML', 'openapi.yaml', 'openapi: [', /line 1/],
    ['a member name twice', 'openapi.yaml', 'a: 1\na: 2\n', /unique/],
    [
      'an alias without an anchor (YAML 1.2.2 §7.1)',
      'openapi.yaml',
      'openapi: 3.1.0\ninfo: *about\nx: &about {}\n',
      /^openapi\.yaml:2:7 the alias \*about has no anchor before it$/,
    ],
    [
      'an alias inside what it stands for',
      'openapi.yaml',
      'openapi: 3.1.0\ninfo: &about\n  x-more: *about\n',
      /^openapi\.yaml:3:11 the alias \*about stands for what it is a part of$/,
    ],
    [
      'aliases of aliases that stand for too much',
      'openapi.yaml',
      [
        'a0: &a0 [1]',
        ...[1, 2, 3, 4].map((n) => `a${n}: &a${n} [${`*a${n - 1}, `.repeat(9)}]`),
      ].join('\n'),
      /^openapi\.yaml: Excessive alias count/,
    ],
  ])('%s', async (_case, name, text, problem) => {
    const problems = await problemsOf(readContract(write({ [name]: text })));

    expect(problems[0]).toMatch(problem);
  });
});

describe('versions that are not supported are refused by name', () => {
  it.each([
    [
      { swagger: '2.0', info: {}, paths: {} },
      '/swagger: "2.0" is not supported; OpenAPI 3.0.x, 3.1.x and 3.2.x are',
    ],
    [
      { openapi: '3.3.0', info: {}, paths: {} },
      '/openapi: "3.3.0" is not supported; 3.0.x, 3.1.x and 3.2.x are',
    ],
    [
      { openapi: 3.1, info: {}, paths: {} },
      '/openapi: 3.1 is not supported; 3.0.x, 3.1.x and 3.2.x are',
    ],
  ])('%j', async (contract, problem) => {
    expect(await problemsOf(parseContract(contract))).toEqual([problem]);
  });
});

describe('a contract’s own integers', () => {
  it.each([
    ['JSON', 'openapi.json', '{"maximum": 9223372036854775807, "minimum": 1}'],
    ['YAML', 'openapi.yaml', '{maximum: 9223372036854775807, minimum: 1}'],
  ])('are read exactly from %s', async (_case, name, schema) => {
    const text = `{"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": {}, "components": {"schemas": {"A": ${schema}}}}`;

    const { root } = await readContract(write({ [name]: text }));

    expect(root.components?.schemas?.A).toEqual({ maximum: 9223372036854775807n, minimum: 1 });
  });

  it.each([
    ['1e23', 10n ** 23n],
    ['-9.223372036854775809e18', -(2n ** 63n) - 1n],
    ['9007199254740993.0', 2n ** 53n + 1n],
    ['0.01', 0.01],
    ['1e2', 100],
  ])('are read from %s as written', async (maximum, value) => {
    const text = `{"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": {}, "components": {"schemas": {"A": {"maximum": ${maximum}}}}}`;

    for (const name of ['openapi.json', 'openapi.yaml']) {
      const { root } = await readContract(
        write({ [name]: name.endsWith('l') ? `--- ${text}` : text }),
      );
      expect(root.components?.schemas?.A).toEqual({ maximum: value });
    }
  });

  it.each(['openapi.json', 'openapi.yaml'])(
    'are refused where %s has one with a fraction',
    async (name) => {
      const text = '{"openapi": "3.1.0", "x": 9007199254740992.5}';

      await expect(
        readContract(write({ [name]: name.endsWith('l') ? `--- ${text}` : text })),
      ).rejects.toThrow(/can be held neither as an integer nor as a double/);
    },
  );
});
