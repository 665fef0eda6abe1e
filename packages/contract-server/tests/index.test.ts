import { describe, expect, it } from '@jest/globals';
import { problemsOf } from './support/contract-problems.js';
import request from 'supertest';
import { parseContract, readContract, serveContract } from '../src/index.js';
import { contractOf, engineResponses, oneToken, serveFixture } from './support/fixture.js';
import { createFolder } from './support/folder.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const getThing = {
  operationId: 'getThing',
  responses: { ...engineResponses, '204': { description: '' } },
};
const secured = {
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
};
const options = {
  handlers: {},
  strategies: {},
  limits: { maxBodyBytes: 1, requestTimeoutMs: 1 },
  errorBody: () => null,
  checkAvailable: () => undefined,
  onFault: () => undefined,
};
const done = () => ({ status: 204 });

describe('a contract is refused at boot', () => {
  it.each([
    [
      'another version',
      { openapi: '2.0' },
      /^\/openapi: "2.0" is not supported; 3.0.x, 3.1.x and 3.2.x are$/,
    ],
    ['3.3', { openapi: '3.3.0', info: {}, paths: {} }, /^\/openapi: "3.3.0" is not supported/],
    ['no version', {}, /^\/openapi: undefined is not supported/],
    ['no object', 'openapi: 3.1.0', /^\/openapi/],
    ['no info', { openapi: '3.1.0', paths: {} }, /info/],
    [
      'a wrong member',
      contractOf({ '/a': { get: { responses: [] } } }),
      /\/paths\/~1a\/get\/responses/,
    ],
  ])('that has %s', async (_case, contract, problem) => {
    const problems = await problemsOf(parseContract(contract));

    expect(problems).toContainEqual(expect.stringMatching(problem));
  });

  it('that is not YAML, with line and column', async () => {
    const path = join(createFolder(), 'openapi.yaml');
    writeFileSync(path, 'openapi: 3.1.0\ninfo: {title: [}\n');

    const problems = await problemsOf(readContract(path));

    expect(problems[0]).toMatch(/line 2, column \d+/);
  });

  it('with file and line, of a reference that leads nowhere too', async () => {
    const path = join(createFolder(), 'openapi.yaml');
    writeFileSync(
      path,
      `openapi: 3.1.0
info: { title: a, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      responses:
        '200': { $ref: '#/components/responses/none' }
    put:
      operationId: putA
      responses: { default: { description: '' } }
x-unmatched-responses: { default: { description: '' } }
`,
    );
    const boot = async (text?: string) => {
      if (text !== undefined) writeFileSync(path, text);
      await serveContract({ ...options, document: await readContract(path) });
    };
    const broken = await problemsOf(boot());
    const missing = await problemsOf(
      boot(readFileSync(path, 'utf8').replace(/'200': .*/, 'default: { description: "" }')),
    );
    const elsewhere = await problemsOf(
      boot(readFileSync(path, 'utf8').replace(/default: .*/, '$ref: "other.yaml"')),
    );

    expect(broken).toEqual([
      'openapi.yaml:8:9 #/components/responses/none: the reference leads nowhere',
    ]);
    expect(missing).toEqual([
      'openapi.yaml:5:5 getA: has no handler',
      'openapi.yaml:9:5 putA: has no handler',
    ]);
    expect(elsewhere).toContainEqual(expect.stringMatching(/^openapi.yaml:7:7 .*other\.yaml/));
  });

  it.each([
    [
      'an operation without handler',
      contractOf({ '/a': { get: getThing } }),
      {},
      /^getThing: has no handler$/,
    ],
    [
      'a handler for no operation',
      contractOf({}),
      { extra: done },
      /^handler extra: the contract has no such operation$/,
    ],
    [
      'no operationId',
      contractOf({ '/a': { get: { ...getThing, operationId: undefined } } }),
      {},
      /^GET \/a: has no operationId/,
    ],
    [
      'two operations of one id',
      contractOf({ '/a': { get: getThing, put: getThing } }),
      { getThing: done },
      /^getThing: two operations/,
    ],
    [
      'a scheme without strategy',
      contractOf({ '/a': { get: getThing } }, secured),
      { getThing: done },
      /^security scheme bearer: has no strategy/,
    ],
    [
      'a status that the engine needs',
      contractOf({
        '/a': { get: { operationId: 'getThing', responses: { '204': { description: '' } } } },
      }),
      { getThing: done },
      /^getThing: may be answered with 400, 406, 500, 503, which/,
    ],
    [
      'a status that the engine needs to read a body',
      contractOf({
        '/a': {
          put: {
            ...getThing,
            requestBody: { content: { 'application/json': {} } },
            responses: Object.fromEntries(
              ['400', '406', '500', '503'].map((status) => [status, { description: '' }]),
            ),
          },
        },
      }),
      { getThing: done },
      /^getThing: may be answered with 408, 413, 415, which/,
    ],
    [
      'nothing for unknown paths',
      { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} },
      {},
      /^unmatched: may be answered with 204, 400, 404, 405, 500, .* in x-unmatched-responses/,
    ],
    [
      'a reference that leads nowhere',
      contractOf({
        '/a': {
          get: {
            ...getThing,
            responses: { ...engineResponses, '200': { $ref: '#/components/responses/none' } },
          },
        },
      }),
      { getThing: done },
      /components\/responses\/none/,
    ],
    [
      'a reference to itself',
      contractOf(
        { '/a': { get: { ...getThing, requestBody: { $ref: '#/components/requestBodies/a' } } } },
        { components: { requestBodies: { a: { $ref: '#/components/requestBodies/a' } } } },
      ),
      { getThing: done },
      /leads to itself$/,
    ],
  ])('for %s', async (_case, contract, handlers, problem) => {
    const problems = await problemsOf(serveFixture(contract, handlers));

    expect(problems).toContainEqual(expect.stringMatching(problem));
  });

  it('for handlers that were compiled with the types of another contract', async () => {
    const { digest } = await parseContract(contractOf({}));
    const contract = contractOf({ '/a': { get: getThing } });
    const start = (contractDigest: string) =>
      problemsOf(serveFixture(contract, { getThing: done }, { contractDigest }));

    expect(await start(digest)).toEqual([
      expect.stringMatching(
        /^the generated types are of another contract: run "npx contract-server/,
      ),
    ]);
    expect(await start((await parseContract(contract)).digest)).toEqual([]);
  });

  it('for a strategy that no scheme asks for', async () => {
    const problems = await problemsOf(
      serveFixture(contractOf({}), {}, { strategies: { other: oneToken('t') } }),
    );

    expect(problems).toEqual(['strategy other: the contract has no such security scheme']);
  });

  it('with everything that is wrong at once', async () => {
    const contract = contractOf(
      { '/a': { get: { operationId: 'one', responses: { '204': { description: '' } } } } },
      secured,
    );

    const problems = await problemsOf(serveFixture(contract, { two: done }));

    expect(problems).toHaveLength(4);
  });
});

describe('a contract is served', () => {
  it('where a range or the default stands for the statuses of the engine', async () => {
    const error = engineResponses['400'];
    const responses = { '204': { description: '' }, '4XX': error, default: error };
    const { app } = await serveFixture(
      contractOf({ '/a': { get: { operationId: 'getThing', responses } } }),
      { getThing: done },
    );

    const response = await request(app).get('/a').set('Accept', 'text/html');

    expect(response.status).toBe(406);
  });

  it('in OpenAPI 3.0 as in 3.1', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', format: 'int64', nullable: true } },
    };
    const contract = {
      ...contractOf({
        '/a': {
          post: { ...getThing, requestBody: { content: { 'application/json': { schema } } } },
        },
      }),
      openapi: '3.0.3',
    };
    const seen: unknown[] = [];
    const { app } = await serveFixture(contract, {
      getThing: ({ body }) => (seen.push(body), { status: 204 }),
    });

    await request(app).post('/a').send({ n: 1 });
    await request(app).post('/a').send({ n: null });

    expect(seen).toEqual([{ n: 1n }, { n: null }]);
  });
});
