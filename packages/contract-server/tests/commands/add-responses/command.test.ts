import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { runCommandLine } from '../../../src/cli.js';
import { createFolder } from '../../support/folder.js';

const CONTRACT = `# A contract of one's own.
openapi: 3.1.0
info: { title: a fixture, version: '1' } # in one line
paths:
  # what there is
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, format: int64, maximum: 9223372036854775807 } }
      responses:
        # found
        '204': { description: '' }
        '404':
          description: 'nothing: there'
          content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
  /shared: { $ref: '#/components/pathItems/Shared' }
components:
  pathItems:
    Shared: { put: { operationId: putShared, responses: { '204': { description: '' } } } }
  schemas:
    Error: # ours
      type: object
      required: [message]
      properties: { message: { type: string } }
`;

let out: string[];
beforeEach(() => {
  out = [];
  for (const stream of ['log', 'error'] as const) {
    jest.spyOn(console, stream).mockImplementation((text: unknown) => void out.push(String(text)));
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

function write(name: string, text: string): string {
  const file = join(createFolder(), name);
  writeFileSync(file, text);
  return file;
}

describe('add-responses', () => {
  it('adds one response in the shape of the contract’s own errors, and nothing else to its text', async () => {
    const file = write('openapi.yaml', CONTRACT);

    expect(await runCommandLine(['add-responses', file])).toBe(0);

    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n');
    // The shared one stands in braces, in one line.
    expect(CONTRACT.split('\n').filter((line) => !lines.includes(line))).toEqual([
      "    Shared: { put: { operationId: putShared, responses: { '204': { description: '' } } } }",
    ]);
    const { components, paths, ...rest } = parse(text) as Record<string, Record<string, unknown>>;
    expect(components?.responses).toEqual({
      ServiceError: {
        description: 'What the service refuses, or can not do.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    });
    const reference = { $ref: '#/components/responses/ServiceError' };
    expect(paths).toMatchObject({ '/things/{id}': { get: { responses: { default: reference } } } });
    expect(components?.pathItems).toMatchObject({
      Shared: { put: { responses: { default: reference } } },
    });
    expect(rest['x-unmatched-responses']).toMatchObject({ 204: {}, default: reference });
  });

  it('adds nothing a second time, and the contract can be served', async () => {
    const file = write('openapi.yaml', CONTRACT);
    await runCommandLine(['add-responses', file]);
    const text = readFileSync(file, 'utf8');

    expect(await runCommandLine(['add-responses', file])).toBe(0);

    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await runCommandLine(['check', file, '--no-types'])).toBe(0);
  });

  it('with --check writes nothing, and exits with 1 where something is missing', async () => {
    const file = write('openapi.yaml', CONTRACT);

    expect(await runCommandLine(['add-responses', file, '--check'])).toBe(1);

    expect(readFileSync(file, 'utf8')).toBe(CONTRACT);
    expect(out.join('\n')).toContain('paths > /things/{id} > get > responses > default');
    await runCommandLine(['add-responses', file]);
    expect(await runCommandLine(['add-responses', file, '--check'])).toBe(0);
  });

  it('writes JSON as it is written, with integers beyond 2^53 as they are', async () => {
    const original = JSON.stringify(parse(CONTRACT), null, 4).replace(
      '9223372036854776000',
      '9223372036854775807',
    );
    const file = write('openapi.json', `${original}\n`);

    await runCommandLine(['add-responses', file]);

    const lines = readFileSync(file, 'utf8').split('\n');
    const lost = original.split('\n').filter((line) => !lines.includes(line));
    // A comma has come after the last member of each object that has got one more.
    expect(lost.map((line) => line.trim())).toEqual([]);
    expect(await runCommandLine(['add-responses', file, '--check'])).toBe(0);
  });

  it('gives the response another name where its own is taken', async () => {
    const taken = CONTRACT.replace(
      'components:\n',
      "components:\n  responses: { ServiceError: { description: 'another' } }\n",
    );
    const file = write('openapi.yaml', taken);

    await runCommandLine(['add-responses', file]);

    expect(readFileSync(file, 'utf8')).toContain("ServiceError: { description: 'another' }");
    expect(await runCommandLine(['check', file, '--no-types'])).toBe(0);
  });

  it('finds the operations that OpenAPI 3.2 lets a path have beside the usual ones', async () => {
    const { paths } = parse(CONTRACT) as { paths: Record<string, { get: object }> };
    const copy = { ...paths['/things/{id}']?.get, operationId: 'copyThing' };
    const file = write(
      'openapi.json',
      JSON.stringify({
        ...{ openapi: '3.2.0', info: { title: 'a fixture', version: '1' } },
        paths: { '/things/{id}': { additionalOperations: { COPY: copy } } },
        components: { schemas: { Error: { type: 'object' } } },
      }),
    );

    expect(await runCommandLine(['add-responses', file])).toBe(0);

    const written = parse(readFileSync(file, 'utf8')) as { paths: object };
    expect(written.paths).toEqual({
      '/things/{id}': {
        additionalOperations: {
          COPY: {
            ...copy,
            responses: expect.objectContaining({ default: expect.any(Object) as object }) as object,
          },
        },
      },
    });
  });
});
