import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ContractError, parseContract, readContract } from '../../src/contract/index.js';
import { createFolder } from '../support/service.js';
import { contractOf, engineResponses, oneToken, serveFixture } from '../support/fixture.js';
import { writeFileSync } from 'node:fs';

const getThing = {
  operationId: 'getThing',
  responses: { ...engineResponses, '204': { description: '' } },
};
const bearer = { components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } };
const done = () => ({ status: 204 });

async function problemsOf(promise: Promise<unknown>): Promise<readonly string[]> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
  return [];
}

describe('a contract is refused at boot', () => {
  it.each([
    [
      'another version',
      { openapi: '2.0' },
      /^\/openapi: "2.0" is not supported; 3.0.x and 3.1.x are$/,
    ],
    ['3.2', { openapi: '3.2.0', info: {}, paths: {} }, /^\/openapi: "3.2.0" is not supported/],
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
    const path = `${createFolder()}/openapi.yaml`;
    writeFileSync(path, 'openapi: 3.1.0\ninfo: {title: [}\n');

    const problems = await problemsOf(readContract(path));

    expect(problems[0]).toMatch(/line 2, column \d+/);
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
      contractOf({ '/a': { get: getThing } }, bearer),
      { getThing: done },
      /^security scheme bearer: has no strategy/,
    ],
    [
      'a scheme that is not defined',
      contractOf({ '/a': { get: { ...getThing, security: [{ nobody: [] }] } } }),
      { getThing: done },
      /^getThing: security scheme nobody is not defined$/,
    ],
    [
      'a scheme of a kind that is not supported',
      contractOf(
        {},
        { components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } } } },
      ),
      {},
      /^security scheme key: only type http/,
    ],
    [
      'a status that the engine needs',
      contractOf({
        '/a': { get: { operationId: 'getThing', responses: { '204': { description: '' } } } },
      }),
      { getThing: done },
      /^getThing: may be answered with 400, 406, 408, 500, 503/,
    ],
    [
      'nothing for unknown paths',
      { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} },
      {},
      /^unmatched: may be answered with 204, 400, 404, 405, 500/,
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
    [
      'parameters',
      contractOf({
        '/a': { get: { ...getThing, parameters: [{ in: 'query', name: 'q', schema: {} }] } },
      }),
      {},
      /^getThing: parameters are not supported yet$/,
    ],
  ])('for %s', async (_case, contract, handlers, problem) => {
    const problems = await problemsOf(serveFixture(contract, handlers));

    expect(problems).toContainEqual(expect.stringMatching(problem));
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
      bearer,
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

describe('authentication', () => {
  const secured = contractOf(
    {
      '/secured': { get: { ...getThing, operationId: 'getSecured' } },
      '/open': { get: { ...getThing, operationId: 'getOpen', security: [] } },
      '/either': { get: { ...getThing, operationId: 'getEither', security: [{ bearer: [] }, {}] } },
    },
    { ...bearer, security: [{ bearer: [] }] },
  );

  async function serve(strategy = oneToken('t')) {
    const principals: unknown[] = [];
    const handler = ({ principal }: { principal: unknown }) => (
      principals.push(principal),
      { status: 204 }
    );
    const { app, faults } = await serveFixture(
      secured,
      { getSecured: handler, getOpen: handler, getEither: handler },
      { strategies: { bearer: strategy } },
    );
    return { app, principals, faults };
  }

  it('gives the handler the principal of the strategy', async () => {
    const { app, principals } = await serve();

    const response = await request(app).get('/secured').set('Authorization', 'Bearer t');

    expect(response.status).toBe(204);
    expect(principals).toEqual([{ name: 'someone' }]);
  });

  it('refuses without calling the handler', async () => {
    const { app, principals } = await serve();

    const response = await request(app).get('/secured').set('Authorization', 'Bearer wrong');

    expect(response.status).toBe(401);
    expect(principals).toEqual([]);
  });

  it('is overridden by an operation’s own security', async () => {
    const { app, principals } = await serve();

    const response = await request(app).get('/open');

    expect(response.status).toBe(204);
    expect(principals).toEqual([undefined]);
  });

  it('is optional where one of the alternatives is empty', async () => {
    const { app, principals } = await serve();

    await request(app).get('/either');
    await request(app).get('/either').set('Authorization', 'Bearer t');

    expect(principals).toEqual([undefined, { name: 'someone' }]);
  });

  it('refuses with 500 where the strategy fails, and logs why', async () => {
    const strategy = oneToken('t');
    strategy.authenticate = function () {
      (this as unknown as { error: (error: Error) => void }).error(new Error('directory is down'));
    };
    const { app, principals, faults } = await serve(strategy);

    const response = await request(app).get('/secured').set('Authorization', 'Bearer t');

    expect(response.status).toBe(500);
    expect(principals).toEqual([]);
    expect(String(faults[0]?.error)).toContain('directory is down');
  });

  it('refuses where the strategy throws or passes', async () => {
    const throwing = oneToken('t');
    throwing.authenticate = () => {
      throw new Error('boom');
    };
    const passing = oneToken('t');
    passing.authenticate = function () {
      (this as unknown as { pass: () => void }).pass();
    };
    const { app } = await serve(throwing);
    const { app: passingApp } = await serve(passing);

    expect((await request(app).get('/secured')).status).toBe(500);
    expect((await request(passingApp).get('/secured')).status).toBe(401);
  });
});
