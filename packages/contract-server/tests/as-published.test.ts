import request from 'supertest';
import { describe, expect, it } from '@jest/globals';
import {
  parseContract,
  summarizeWarnings,
  type ContractOptions,
  type ContractWarning,
} from '../src/index.js';
import { problemsOf } from './support/contract-problems.js';
import { contractOf, engineResponses, serveFixture, type AnyHandlers } from './support/fixture.js';

type Options = Partial<ContractOptions<Record<string, never>, unknown>>;

const done = { '204': { description: '' } };
const sound = { operationId: 'getSound', responses: done };
const yes = { handle: () => ({ status: 204 }) };
/** As others publish it: neither the engine's answers nor those to unmatched requests are declared. */
const published = (paths: object, rest: object = {}): object =>
  contractOf(paths, { 'x-unmatched-responses': undefined, ...rest });

async function serve(contract: object, handlers: AnyHandlers, options: Options = {}) {
  const warnings: ContractWarning[] = [];
  const fixture = await serveFixture(contract, handlers, {
    asPublished: true,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  return { ...fixture, said: summarizeWarnings(warnings) };
}

const operation = (more: object) => ({ operationId: 'getBroken', responses: done, ...more });
const query = (schema: object, more: object) => ({
  parameters: [{ name: 'a', in: 'query', schema, ...more }],
});
const dateParameter = query({ $ref: '#/components/schemas/Wrong' }, {});

describe('OpenAPI 3.1.0 §4.8.10 operationId: an operation without it', () => {
  const get = { responses: done };
  const contract = published({ '/things/{id}': { get }, '/a': { get: sound } });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const named = published({ '/things/{id}': { get: { ...get, parameters } } });

  it('is served under its method and path, as published', async () => {
    const { app } = await serve(named, { 'GET /things/{id}': yes.handle });

    expect((await request(app).get('/things/1')).status).toBe(204);
    expect((await request(app).get('/things/a')).status).toBe(400);
  });

  it('is refused at boot otherwise', async () => {
    const problems = await problemsOf(
      serveFixture(contract, { getSound: yes.handle }, { undeclaredErrors: 'send' }),
    );

    expect(problems).toEqual(
      expect.arrayContaining([
        'GET /things/{id}: has no operationId, by which its handler is found',
      ]),
    );
  });

  it('and each of several that share one, is so named', async () => {
    const twice = published({ '/a': { get: sound, put: sound }, '/b': { get } });
    const handlers = { 'GET /a': yes.handle, 'PUT /a': yes.handle, 'GET /b': yes.handle };

    const { app } = await serve(twice, handlers);

    expect((await request(app).put('/a')).status).toBe(204);
  });
});

describe('OpenAPI 3.1.0 §4.8 a contract as it was published', () => {
  it.each([
    ['a schema that is none', '/b', operation(dateParameter), "type can't be"],
    [
      'a schema that is none, with a colon in it',
      '/b',
      operation(query({ type: 'a: b' }, {})),
      `type can't be "a: b"$`,
    ],
    [
      'a parameter with a colon in its name',
      '/b',
      operation({ parameters: [{ name: 'a: b', in: 'query', style: 'deepObject', schema: {} }] }),
      'style deepObject needs a schema of an object',
    ],
    [
      'a reference that leads nowhere',
      '/b',
      operation(query({ $ref: '#/components/schemas/None' }, {})),
      'the reference leads nowhere',
    ],
    ['a path with a fragment', '/b#Target=A', operation({}), 'has a query or a fragment'],
    ['a path with a query', '/b?action=a', operation({}), 'has a query or a fragment'],
    ['a query as RFC 6570 writes it', '/b{?page}', operation({}), 'is not declared as a path'],
    [
      'a deepObject of a scalar',
      '/b',
      operation(query({ type: 'integer' }, { style: 'deepObject' })),
      'style deepObject needs a schema of an object',
    ],
    [
      'an unsupported security scheme',
      '/b',
      operation({ security: [{ tls: [] }] }),
      'the type mutualTLS is not supported',
    ],
    [
      'a path parameter that is not declared',
      '/b/{id}',
      operation({}),
      'is not declared as a path parameter',
    ],
  ])(
    'answers one operation with 501 for %s, and serves the others',
    async (_case, path, get, why) => {
      const contract = published(
        { '/a': { get: sound }, [path]: { get } },
        {
          components: {
            schemas: { Wrong: { type: 'any' } },
            securitySchemes: { tls: { type: 'mutualTLS' } },
          },
        },
      );

      const { app, said, faults } = await serve(contract, { getSound: yes.handle });

      const { status, text } = await request(app).get(
        path.replace(/[?#{].*/, '1').replace('b1', 'b'),
      );
      expect(status).toBe(501);
      expect(JSON.parse(text)).toEqual({ error: 50101, message: expect.any(String) });
      expect((await request(app).get('/a')).status).toBe(204);
      expect(faults).toEqual([]);
      expect(said).toContainEqual({
        what: expect.stringMatching(`^not served, but answered with 501: (\\S+ of \\S+ )?${why}`),
        operations: 1,
        first: [`/paths/${path.replaceAll('/', '~1')}/get`],
      });
    },
  );

  it('serves operations that share components with one whose schema is none', async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const content = (properties: object) => ({
      requestBody: { content: { 'application/json': { schema: { properties } } } },
    });
    const contract = published(
      {
        '/a': { put: operation(content({ right: ref('Right'), wrong: ref('Wrong') })) },
        '/b': { put: { ...sound, ...content({ right: ref('Right') }) } },
      },
      { components: { schemas: { Right: { type: 'integer' }, Wrong: { type: 'any' } } } },
    );

    const { app } = await serve(contract, { getSound: yes.handle });

    expect((await request(app).put('/a').send({})).status).toBe(501);
    expect((await request(app).put('/b').send({ right: 1 })).status).toBe(204);
    expect((await request(app).put('/b').send({ right: 'a' })).status).toBe(400);
  });

  it.each(['/#X-Amz-Target=A', '/?Action=A'])(
    'leaves the requests of %s to the operation that has their path without it',
    async (path) => {
      const contract = published({
        [path]: { get: operation({}), put: operation({ operationId: 'putBroken' }) },
        '/': { get: sound },
      });

      const { app } = await serve(contract, { getSound: yes.handle });

      expect((await request(app).get('/')).status).toBe(204);
      expect((await request(app).put('/')).status).toBe(501);
      expect((await request(app).get('/?Action=A')).status).toBe(400);
    },
  );

  it('gives the requests of two templates to the first, and says so', async () => {
    const id = (name: string) => ({ name, in: 'path', required: true, schema: {} });
    const contract = published({
      '/a/{one}': { get: { ...sound, parameters: [id('one')] } },
      '/a/{other}': { get: operation({ parameters: [id('other')] }) },
    });

    const { app, said } = await serve(contract, { getSound: yes.handle });

    expect((await request(app).get('/a/1')).status).toBe(204);
    expect(said).toContainEqual({
      what: 'not served, but answered with 501: match the same requests',
      operations: 1,
      first: ['/paths/~1a~1{other}/get'],
    });
  });

  it('refuses an operation by the 501 that it declares, in its own shape', async () => {
    const declared = { ...engineResponses['400'], headers: {} };
    const responses = { ...done, default: declared };
    const get = { ...operation(dateParameter), responses };
    const contract = published(
      { '/a': { get } },
      { components: { schemas: { Wrong: { type: 'any' } } } },
    );

    const { app, faults } = await serve(contract, {}, { errorBody: () => ({ wrong: true }) });

    // Judged, and found not to be what the contract declares.
    expect((await request(app).get('/a')).status).toBe(500);
    expect(faults).toMatchObject([{ operationId: 'getBroken', status: 501 }]);
  });

  it('may have handlers of operations that are refused, and refuses those of no operation', async () => {
    const contract = published({ '/a?b': { get: operation({}) } });

    await expect(serve(contract, { getBroken: yes.handle })).resolves.toBeDefined();

    expect(await problemsOf(serve(contract, { getOther: yes.handle }))).toEqual([
      'handler getOther: the contract has no such operation',
    ]);
  });

  it('sends the errors that it does not declare, in the shape of errorBody, and says which', async () => {
    const { app, said } = await serve(published({ '/a': { get: sound } }), {
      getSound: () => ({ status: 204 }),
    });

    expect((await request(app).get('/a?b=1')).body).toMatchObject({ error: 40002 });
    expect((await request(app).get('/b')).body).toMatchObject({ error: 40401 });
    expect(said.map(({ what }) => what)).toEqual([
      "the engine's answers 400, 406, 500, 503 are sent unchecked where an operation doesn't declare them",
      "the engine's answers 400, 404, 405, 500 are sent unchecked where x-unmatched-responses doesn't declare them",
    ]);
  });

  it.each([true, false])(
    'sends errors that it declares without content without one (asPublished: %p)',
    async (asPublished) => {
      const bare = { description: 'An error.' };
      const get = { operationId: 'getSound', responses: { ...done, '400': bare, default: bare } };
      const contract = contractOf(
        { '/a': { get } },
        { 'x-unmatched-responses': { default: bare } },
      );

      const { app, faults } = await serve(contract, { getSound: yes.handle }, { asPublished });

      expect(await request(app).get('/a?b=1')).toMatchObject({ status: 400, text: '' });
      expect(await request(app).get('/b')).toMatchObject({ status: 404, text: '' });
      expect(faults).toEqual([]);
    },
  );

  it('sends the errors of each operation in a shape of its own', async () => {
    const errorOf = (name: string) => {
      const schema = {
        type: 'object',
        required: [name],
        properties: { [name]: { type: 'string' } },
      };
      return { '400': { description: '', content: { 'application/json': { schema } } } };
    };
    const a = { operationId: 'getA', responses: { ...done, ...errorOf('title') } };
    const b = { operationId: 'getB', responses: { ...done, ...errorOf('fault') } };
    const { app, faults } = await serve(
      published({ '/a': { get: a }, '/b': { get: b } }),
      { getA: yes.handle, getB: yes.handle },
      {
        errorBody: ({ status }, operationId) =>
          ({ getA: { title: 'a' }, getB: { fault: 'b' } })[operationId ?? ''] ?? { status },
      },
    );

    const bodies = await Promise.all(
      ['/a?x=1', '/b?x=1', '/c'].map(
        async (path) => (await request(app).get(path)).body as unknown,
      ),
    );

    expect(bodies).toEqual([{ title: 'a' }, { fault: 'b' }, { status: 404 }]);
    expect(faults).toEqual([]);
  });

  it('answers OPTIONS, where the contract declares other answers to unmatched requests', async () => {
    const unmatched = { 'x-unmatched-responses': { '4XX': engineResponses['400'] } };
    const { app } = await serve(published({ '/a': { get: sound } }, unmatched), {
      getSound: yes.handle,
    });

    expect((await request(app).options('/a')).status).toBe(204);
  });

  it('refuses operations one by one in a strict contract only where they declare 501', async () => {
    const responses = { ...engineResponses, ...done };
    const contract = (more: object) =>
      contractOf({ '/a?b': { get: operation({ responses: { ...responses, ...more } }) } });
    const strict: Options = { asPublished: false, unsupported: 'refuse-operations' };

    expect(await problemsOf(serve(contract({}), {}, strict))).toEqual([
      "getBroken: may be answered with 501, which it doesn't declare; declare the status, its range (4XX) or a default",
    ]);
    expect(
      await problemsOf(serve(contract({ '5XX': engineResponses['400'] }), {}, strict)),
    ).toEqual([]);
  });

  it('says each reason once, however many operations it has', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`/#A=${n}`, { post: { responses: done } }]),
    );

    const { said } = await serve(published(paths), {});

    expect(said[0]).toEqual({
      what: 'not served, but answered with 501: has a query or a fragment, which no path of a request has',
      operations: 40,
      first: ['/paths/~1#A=0/post', '/paths/~1#A=1/post', '/paths/~1#A=2/post'],
    });
    expect(said).toHaveLength(2);
  });
});

it('a document that is none is refused all the same', async () => {
  expect(await problemsOf(parseContract({ openapi: '3.1.0' }))).not.toEqual([]);
});
