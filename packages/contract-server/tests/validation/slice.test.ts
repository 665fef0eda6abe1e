import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiError, parseContract, type ContractWarning } from '../../src/index.js';
import { listOperations } from '../../src/operation/operation.js';
import { joinSlices } from '../../src/validation/slice-document.js';
import { exactnessOf, slicesIn, sliceOperation } from '../../src/validation/slice.js';
import { StandIns } from '../../src/validation/stand-ins.js';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';

const done = () => ({ status: 204 });

/** As many operations as it takes for a contract to be large. */
function largeContract(schemaOfFirst: unknown): object {
  const operations = Array.from({ length: 40 }, (_, index) => [
    `/${index}`,
    postOf(index, index === 0 ? schemaOfFirst : {}),
  ]);
  return contractOf(Object.fromEntries(operations) as object);
}

function postOf(index: number, schema: unknown): object {
  return {
    post: {
      operationId: `op${index}`,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { ...engineResponses, '204': { description: '' } },
    },
  };
}

const handlers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`op${index}`, done]));

describe('a slice', () => {
  it('has the components that its operation reaches, without what judges nothing', async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const document = await parseContract(
      contractOf(
        {
          '/a': {
            get: {
              operationId: 'a',
              responses: {
                '200': {
                  description: 'told to nobody',
                  content: {
                    'application/json': {
                      schema: ref('Used'),
                      examples: { one: { value: { $ref: '#/nowhere' } } },
                    },
                  },
                  links: { next: { operationId: 'a' } },
                },
              },
            },
          },
        },
        {
          openapi: '3.0.3',
          components: {
            schemas: {
              Used: {
                type: 'object',
                description: 'told to nobody',
                example: { a: 1 },
                'x-extension': { $ref: '#/nowhere' },
                properties: { deep: ref('Deep'), example: { type: 'string', example: 'a' } },
              },
              Deep: { type: 'integer', title: 'told to nobody' },
              Unused: { type: 'string' },
            },
          },
        },
      ),
    );
    const [operation] = listOperations(document);
    if (operation === undefined) throw new Error('the contract has an operation');

    const slices = slicesIn(sliceOperation(document, operation));
    const joined = joinSlices(
      document,
      { direction: 'response', slices, isBroad: false },
      new StandIns(new Set()),
    );

    expect(joined.document).toMatchObject({
      components: {
        schemas: {
          all: expect.arrayContaining([
            {
              $id: '#response_Used',
              type: 'object',
              properties: { deep: { $ref: '#response_Deep' }, example: { type: 'string' } },
            },
            { $id: '#response_Deep', type: 'integer' },
          ]),
        },
      },
    });
    expect(JSON.stringify(joined.document)).not.toMatch(/nobody|nowhere|Unused|"a":1/);
  });
});

describe('a large contract', () => {
  it('is served, each operation from its first call on', async () => {
    const { app, faults } = await serveFixture(largeContract({ type: 'integer' }), handlers);

    const [one, other, wrong] = await Promise.all([
      request(app).post('/0').type('json').send('1'),
      request(app).post('/0').type('json').send('2'),
      request(app).post('/0').type('json').send('"a"'),
    ]);

    expect([one.status, other.status, wrong.status]).toEqual([204, 204, 400]);
    expect(faults).toEqual([]);
  });

  it('has each request judged by its own operation, whichever is called first', async () => {
    const bodies: unknown[] = [];
    const contract = contractOf(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`/${index}`, postOf(index, { const: index })]),
      ),
    );
    const { app } = await serveFixture(
      contract,
      Object.fromEntries(
        Object.keys(handlers).map((id) => [id, ({ body }) => (bodies.push(body), done())]),
      ),
    );
    const calls = Array.from({ length: 40 }, (_, index) => (index * 7) % 40);

    const right = await Promise.all(
      calls.map((n) => request(app).post(`/${n}`).type('json').send(`${n}`)),
    );
    const wrong = await Promise.all(
      calls.map((n) =>
        request(app)
          .post(`/${n}`)
          .type('json')
          .send(`${(n + 1) % 40}`),
      ),
    );

    expect(right.map(({ status }) => status)).toEqual(calls.map(() => 204));
    expect(wrong.map(({ status }) => status)).toEqual(calls.map(() => 400));
    expect(bodies.sort((a, b) => Number(a) - Number(b))).toEqual(calls.sort((a, b) => a - b));
  });

  it('answers an operation that can’t be built with 500, reports each request, serves the others', async () => {
    const schema: Record<string, unknown> = { type: 'integer' };
    const { app, faults } = await serveFixture(largeContract(schema), handlers);
    // What is checked at boot can hardly fail later; so the document is broken after it.
    schema.$ref = '#/components/schemas/None';

    const first = await request(app).post('/0').type('json').send('1');
    const second = await request(app).post('/0').type('json').send('1');
    const other = await request(app).post('/39').type('json').send('1');

    expect([first.status, first.body]).toEqual([500, second.body]);
    expect(first.body).toMatchObject({ error: 50001, message: expect.any(String) });
    expect(JSON.stringify(first.body)).not.toContain('None');
    expect(second.status).toBe(500);
    expect(other.status).toBe(204);
    expect(faults).toEqual([
      expect.objectContaining({ operationId: 'op0', status: 500 }),
      expect.objectContaining({ operationId: 'op0', status: 500 }),
    ]);
    expect(faults[0]?.error).toMatchObject({ message: expect.stringContaining('None') });
  });

  it('is checked at boot all the same', async () => {
    const contract = largeContract({ $ref: '#/components/schemas/None' });

    await expect(serveFixture(contract, handlers)).rejects.toMatchObject({
      problems: ['#/components/schemas/None: the reference leads nowhere'],
    });
  });
});

describe('errors that a contract doesn’t declare', () => {
  const contract = {
    openapi: '3.0.3',
    info: { title: 'a', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses: { '204': { description: '' } } } } },
  };

  it('stop the boot', async () => {
    await expect(serveFixture(contract, { a: done })).rejects.toThrow(/which it doesn't declare/);
  });

  it('are sent in the shape of errorBody where that is wanted, and that is said', async () => {
    const notes: ContractWarning[] = [];
    const { app } = await serveFixture(
      contract,
      { a: done },
      { undeclaredErrors: 'send', onWarning: (note) => notes.push(note) },
    );

    const refused = await request(app).get('/a?b=1');
    const unknown = await request(app).get('/b');
    const options = await request(app).options('/a');

    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: 40002 });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ error: 40401 });
    expect(options.status).toBe(204);
    expect(notes.map(({ operationIds, what }) => [operationIds, what])).toEqual([
      [
        ['a'],
        "the engine's answers 400, 406, 500, 503 are sent unchecked where an operation doesn't declare them",
      ],
      [
        ['unmatched'],
        "the engine's answers 400, 404, 405, 500 are sent unchecked where x-unmatched-responses doesn't declare them",
      ],
    ]);
  });

  it('still answer 500 where the error’s own header can stand in no response', async () => {
    const thrown = new ApiError(40901, 'taken', { 'X-Broken': 'a\r\nb' });
    const { app } = await serveFixture(
      contract,
      { a: () => Promise.reject(thrown) },
      { undeclaredErrors: 'send' },
    );

    const response = await request(app).get('/a');

    expect(response.status).toBe(500);
    expect(response.headers).not.toHaveProperty('x-broken');
  });

  it('never let a response of the handler’s pass undeclared', async () => {
    const { app, faults } = await serveFixture(
      contract,
      { a: () => ({ status: 404 }) },
      { undeclaredErrors: 'send' },
    );

    const response = await request(app).get('/a');

    expect(response.status).toBe(500);
    expect(faults).toHaveLength(1);
  });
});

describe('what doubles judge right', () => {
  it.each<[what: string, schema: object, isExact: boolean]>([
    ['int64', { type: 'integer', format: 'int64', minimum: 1, maximum: 2 ** 53 - 1 }, false],
    [
      'the ends of int64',
      { format: 'int64', maximum: 2n ** 63n - 1n, minimum: -(2n ** 63n) },
      false,
    ],
    ['multiples within bounds', { multipleOf: 5, minimum: 0, exclusiveMaximum: 100 }, false],
    ['multiples of int32', { type: 'integer', format: 'int32', multipleOf: 5 }, false],
    ['constants', { enum: [1, 0.5, 'x', 2 ** 53 - 1] }, false],
    ['a larger constant', { enum: [1, 0.5, 'x', 2 ** 53] }, true],
    ['multiples without bounds', { type: 'integer', multipleOf: 5, minimum: 0 }, true],
  ])('is left to them: %s', async (_what, schema, isExact) => {
    const content = { 'application/json': { schema } };
    const responses = { default: { description: '' } };
    const post = { operationId: 'post', requestBody: { content }, responses };
    const document = await parseContract(contractOf({ '/': { post } }));

    const slices = listOperations(document).flatMap((operation) =>
      slicesIn(sliceOperation(document, operation)),
    );

    const { literals, factors, hasUniqueItems } = exactnessOf(document, slices);
    expect(literals.size > 0 || factors.size > 0 || hasUniqueItems).toBe(isExact);
  });
});
