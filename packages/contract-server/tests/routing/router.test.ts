import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ContractError, type Fault } from '../../src/index.js';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

interface Call {
  readonly path: string;
  readonly params: object;
}

/** A contract that has a GET, or other methods, at each of these paths. */
function contractFor(paths: readonly string[], methods: readonly string[] = ['get']): object {
  return contractOf(
    Object.fromEntries(
      paths.map((path) => [
        path,
        Object.fromEntries(
          methods.map((method) => [
            method,
            {
              operationId: `${method} ${path}`,
              responses: {
                ...engineResponses,
                '200': {
                  description: '',
                  headers: { 'X-Method': { schema: { type: 'string' } } },
                  content: { 'application/json': { schema: {} } },
                },
                '204': { description: '' },
              },
              parameters: [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => ({
                in: 'path',
                name,
                required: true,
                schema: { type: 'string' },
              })),
            },
          ]),
        ),
      ]),
    ),
  );
}

/** Serves a contract on a socket, for what no client library would send as it is. */
async function withServer<Result>(
  contract: object,
  use: (
    send: (path: string, method?: string) => Promise<Answer>,
    calls: Call[],
    faults: Fault[],
  ) => Promise<Result>,
  { basePath = '', onFault }: { basePath?: string; onFault?: (fault: Fault) => void } = {},
): Promise<Result> {
  const calls: Call[] = [];
  const operations = Object.entries((contract as { paths: object }).paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { operationId: string }>).map(
      ([method, { operationId }]) => ({ path, method, operationId }),
    ),
  );
  const handlers = Object.fromEntries(
    operations.map(({ path, method, operationId }) => [
      operationId,
      (request: { body: unknown; principal: unknown }) => {
        const { params } = request as unknown as { params: object };
        calls.push({ path, params: { ...params } });
        return method === 'head' || method === 'options'
          ? { status: 204 }
          : { status: 200, headers: { 'X-Method': method }, body: { path } };
      },
    ]),
  );
  const { app, faults } = await serveFixture(contract, handlers, onFault && { onFault });
  const outer = express().enable('case sensitive routing').enable('strict routing');
  outer.use(basePath === '' ? '/' : basePath, app);
  const server = createServer(outer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const send = async (path: string, method = 'GET'): Promise<Answer> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', path, method }, resolve).on('error', reject).end();
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: await text(response),
    };
  };
  try {
    return await use(send, calls, faults);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The template that each path is routed to, and with which parameters; the status where to none. */
function route(paths: readonly string[], requested: string): Promise<Call | number | undefined> {
  return withServer(contractFor(paths), async (send, calls) => {
    const { status } = await send(requested);
    return calls[0] ?? status;
  });
}

async function problemsOf(contract: object): Promise<readonly string[]> {
  try {
    await withServer(contract, () => Promise.resolve());
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
  return [];
}

describe('OpenAPI 3.1.0 §4.8.8 Paths', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['/', '/', '/', {}],
    ['/ /a', '/a', '/a', {}],
    ['/a /a/', '/a/', '/a/', {}],
    ['/pets/{id} /pets/mine', '/pets/mine', '/pets/mine', {}],
    ['/pets/{id} /pets/mine', '/pets/7', '/pets/{id}', { id: '7' }],
    ['/pets/mine /pets/{id}', '/pets/mine7', '/pets/{id}', { id: 'mine7' }],
    ['/a/{x}/c /a/b/{y}', '/a/b/c', '/a/b/{y}', { y: 'c' }],
    ['/a/{x}/c /a/b/d', '/a/b/c', '/a/{x}/c', { x: 'b' }],
    ['/{a}/{b}/e /{a}/c/d /b/{x}/{y}', '/b/c/d', '/b/{x}/{y}', { x: 'c', y: 'd' }],
    ['/{a}/{b}/e /{a}/c/d /b/{x}/f', '/b/c/d', '/{a}/c/d', { a: 'b' }],
    ['/{a}/{b}/e /{a}/c/d /b/{x}/f', '/b/c/e', '/{a}/{b}/e', { a: 'b', b: 'c' }],
    ['/a/b/c /a/{b}/{c}/d', '/a/b/c/d', '/a/{b}/{c}/d', { b: 'b', c: 'c' }],
  ])('of %s, %s is %s', async (templates, requested, path, params) => {
    expect(await route(templates.split(' '), requested)).toEqual({ path, params });
  });

  it.each<[string, string]>([
    ['/pets/{id}', '/pets'],
    ['/pets/{id}', '/pets/'],
    ['/pets/{id}', '/pets/7/'],
    ['/pets/{id}', '/pets/7/x'],
    ['/pets/{id}', '/Pets/7'],
    ['/pets/{id}', '//pets/7'],
    ['/pets/{id}', '/pets//7'],
    ['/pets/{id}/toys', '/pets//toys'],
    ['/pets', '/pets/'],
    ['/pets/', '/pets'],
    ['/a/{b}.{c}', '/a/.c'],
    ['/a/{b}.{c}', '/a/b.'],
    ['/a/{b}.{c}', '/a/b'],
    ['/a/{b}-{b2}-x', '/a/b-x'],
  ])('of %s, %s is none', async (templates, requested) => {
    expect(await route(templates.split(' '), requested)).toBe(404);
  });
});

describe('OpenAPI 3.1.0 §4.8.2 Path Templating', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['/{a}.{b}', '/x.y', '/{a}.{b}', { a: 'x', b: 'y' }],
    ['/{a}.{b}', '/x.y.z', '/{a}.{b}', { a: 'x', b: 'y.z' }],
    ['/{a}.{b}', '/..y', '/{a}.{b}', { a: '.', b: 'y' }],
    ['/{owner}-{repo}', '/a-b-c', '/{owner}-{repo}', { owner: 'a', repo: 'b-c' }],
    ['/{a}...{b}', '/v1.0...v2.0', '/{a}...{b}', { a: 'v1.0', b: 'v2.0' }],
    ['/f/{n}.json /f/{n}', '/f/a.json', '/f/{n}.json', { n: 'a' }],
    ['/f/{n}.json /f/{n}', '/f/.json', '/f/{n}', { n: '.json' }],
    ['/f/{n}.json /f/{n}.{e}', '/f/a.json', '/f/{n}.json', { n: 'a' }],
    ['/f/{n}.{e} /f/{n}.json', '/f/a.json', '/f/{n}.json', { n: 'a' }],
    ['/f/{n}.{e} /f/{n}-{e}', '/f/a.b-c', '/f/{n}.{e}', { n: 'a', e: 'b-c' }],
    ['/f/{n}-{e} /f/{n}.{e}', '/f/a.b-c', '/f/{n}-{e}', { n: 'a.b', e: 'c' }],
    ['/{a}.{b}/x /{a}-{b}/y', '/p.q-r/y', '/{a}-{b}/y', { a: 'p.q', b: 'r' }],
    ['/{a}-{b}-{c}', '/1-2-3-4', '/{a}-{b}-{c}', { a: '1', b: '2', c: '3-4' }],
    ['/p{a}s', '/pqs', '/p{a}s', { a: 'q' }],
    ['/{id}:cancel /{id}', '/7:cancel', '/{id}:cancel', { id: '7' }],
    ['/{id}:cancel /{id}', '/7%3Acancel', '/{id}', { id: '7:cancel' }],
    ['/v1/things:batch /v1/{id}', '/v1/things:batch', '/v1/things:batch', {}],
    ['/v1/{id}', '/v1/a:b', '/v1/{id}', { id: 'a:b' }],
    [
      "/odata/f(id='{id}',n={n})",
      "/odata/f(id='7',n=8)",
      "/odata/f(id='{id}',n={n})",
      { id: '7', n: '8' },
    ],
    ['/a*b+c@d!$&;=,~ /{x}', '/a*b+c@d!$&;=,~', '/a*b+c@d!$&;=,~', {}],
    ['/a*', '/a*', '/a*', {}],
    ['/v1.0/a.b', '/v1.0/a.b', '/v1.0/a.b', {}],
    [
      '/{pet-id}/{a b}/{x.y}',
      '/1/2/3',
      '/{pet-id}/{a b}/{x.y}',
      { 'pet-id': '1', 'a b': '2', 'x.y': '3' },
    ],
    ['/{a/b}/c', '/1/c', '/{a/b}/c', { 'a/b': '1' }],
    ['/{a?}/{*}/{:x}', '/1/2/3', '/{a?}/{*}/{:x}', { 'a?': '1', '*': '2', ':x': '3' }],
    ['/{constructor}', '/1', '/{constructor}', { constructor: '1' }],
    ['/{id}', `/${'a'.repeat(4000)}`, '/{id}', { id: 'a'.repeat(4000) }],
  ])('of %s, %s is %s', async (templates, requested, path, params) => {
    const separator = templates.includes('{a b}') ? '\n' : ' ';

    expect(await route(templates.split(separator), requested)).toEqual({ path, params });
  });

  it.each<[string, string]>([
    ['/a{b', 'has an unmatched brace'],
    ['/ab}', 'has an unmatched brace'],
    ['/a?b=c', 'has a query or a fragment'],
    ['/a#b', 'has a query or a fragment'],
    ['/a%2', 'has a percent sign that begins no encoding'],
    ['/{a}/{a}', 'has {a} more than once'],
    ['/{a}{b}', 'has two parameters with nothing between them'],
  ])('stops the boot for %s: %s', async (path, problem) => {
    expect(await problemsOf(contractFor([path]))).toContainEqual(
      expect.stringContaining(`path ${path}: ${problem}`),
    );
  });

  it.each<[string, string]>([
    ['/a/{x}', '/a/{y}'],
    ['/{a}.{b}/c', '/{c}.{d}/c'],
    ['/café', '/caf%c3%a9'],
    ['/a~b', '/a%7Eb'],
  ])('stops the boot for two operations at %s and %s', async (one, other) => {
    expect(await problemsOf(contractFor([one, other]))).toEqual([
      `get ${one} and get ${other}: GET ${one} and GET ${other}: match the same requests`,
    ]);
  });

  it('tells operations apart by their methods, where the templates are twins', async () => {
    const contract = contractOf({
      ...(contractFor(['/a/{x}'], ['get']) as { paths: object }).paths,
      ...(contractFor(['/a/{y}'], ['delete']) as { paths: object }).paths,
    });

    await withServer(contract, async (send, calls) => {
      await send('/a/1');
      await send('/a/2', 'DELETE');
      const { headers } = await send('/a/3', 'PUT');

      expect(calls).toEqual([
        { path: '/a/{x}', params: { x: '1' } },
        { path: '/a/{y}', params: { y: '2' } },
      ]);
      expect(headers.allow).toBe('GET, DELETE, HEAD, OPTIONS');
    });
  });

  it.each<[string, object[], RegExp]>([
    ['not declared', [], /^getA: \{id\} of \/a\/\{id\} is not declared as a path parameter$/],
    [
      'declared, and not there',
      ['id', 'other'].map((name) => ({ in: 'path', name, required: true, schema: {} })),
      /^getA: declares a path parameter other, which is not in \/a\/\{id\}$/,
    ],
  ])('stops the boot for a parameter that is %s', async (_case, parameters, problem) => {
    const operation = { operationId: 'getA', parameters, responses: engineResponses };

    expect(await problemsOf(contractOf({ '/a/{id}': { get: operation } }))).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});

describe('RFC 3986 §6.2.2 equivalent paths', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['/café', '/caf%C3%A9', '/café', {}],
    ['/café', '/caf%c3%a9', '/café', {}],
    ['/caf%C3%A9', '/caf%c3%a9', '/caf%C3%A9', {}],
    ['/a%20b', '/a%20b', '/a%20b', {}],
    ['/a-b.c_d~e', '/%61%2Db%2ec%5Fd%7Ee', '/a-b.c_d~e', {}],
    ['/{id}/x', '/%37/%78', '/{id}/x', { id: '7' }],
    ['/{id}', '/a%2Fb', '/{id}', { id: 'a/b' }],
    ['/{id}', '/a%252Fb', '/{id}', { id: 'a%2Fb' }],
    ['/{id}', '/caf%C3%A9%20%F0%9F%8C%B5', '/{id}', { id: 'café 🌵' }],
    ['/{id}', '/a+b', '/{id}', { id: 'a+b' }],
    ['/{id}', '/%2e%2E', '/{id}', { id: '..' }],
    ['/a/{id} /', '/a/%2e%2e', '/a/{id}', { id: '..' }],
    ['/{id}', '/a|b^c', '/{id}', { id: 'a|b^c' }],
    ['/{a}.{b}', '/x%2Ey', '/{a}.{b}', { a: 'x', b: 'y' }],
  ])('of %s, %s is %s', async (templates, requested, path, params) => {
    expect(await route(templates.split(' '), requested)).toEqual({ path, params });
  });

  it.each<[string, string]>([
    ['/a:b', '/a%3Ab'],
    ['/a/b', '/a%2Fb'],
    ['/a%2Fb', '/a/b'],
    ['/a', '/%2561'],
    ['/b', '/a/%2e%2e/b'],
  ])('are not %s and %s', async (template, requested) => {
    expect(await route([template], requested)).toBe(404);
  });

  it.each(['/%', '/%4', '/%zz', '/a/%E0%A4%A', '/nothing/%', '/%%37', '/a%2'])(
    'refuses %s with 400, for what its percent sign begins is no encoding',
    async (requested) => {
      const answer = await withServer(contractFor(['/{id}', '/a/{id}']), (send) => send(requested));

      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ error: 40004 });
    },
  );
});

describe('RFC 9110 §9.3.2 HEAD', () => {
  it('is answered by GET, with its headers and without its body', async () => {
    await withServer(contractFor(['/a/{id}']), async (send, calls) => {
      const get = await send('/a/1');
      const head = await send('/a/1', 'HEAD');

      expect(head.status).toBe(200);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
      expect(head.headers['content-length']).toBe(String(get.text.length));
      expect(head.text).toBe('');
      expect(calls).toHaveLength(2);
    });
  });

  it('is answered by its own operation, where the contract has one', async () => {
    await withServer(contractFor(['/a'], ['get', 'head']), async (send) => {
      expect((await send('/a', 'HEAD')).status).toBe(204);
    });
  });

  it.each([
    ['404 at an unknown path', '/b', 404],
    ['405 where there is no GET', '/a', 405],
  ])('gets %s, without a body', async (_case, path, status) => {
    await withServer(contractFor(['/a'], ['put']), async (send) => {
      const answer = await send(path, 'HEAD');

      expect(answer).toMatchObject({ status, text: '' });
    });
  });
});

describe('RFC 9110 §9.3.7 OPTIONS and §15.5.6 405', () => {
  it.each<[string, string[], string]>([
    ['GET', ['get'], 'GET, HEAD, OPTIONS'],
    ['others', ['put', 'delete'], 'PUT, DELETE, OPTIONS'],
    ['HEAD of its own', ['get', 'head'], 'GET, HEAD, OPTIONS'],
  ])('a path that has %s', async (_case, methods, allow) => {
    await withServer(contractFor(['/a'], methods), async (send, calls) => {
      const options = await send('/a', 'OPTIONS');
      const patch = await send('/a', 'PATCH');

      expect(options).toMatchObject({ status: 204, text: '', headers: { allow } });
      expect(patch).toMatchObject({ status: 405, headers: { allow } });
      expect(JSON.parse(patch.text)).toMatchObject({ error: 40501 });
      expect(calls).toEqual([]);
    });
  });

  it('is answered without content, whatever a default for all other answers says', async () => {
    const declared = { default: engineResponses['400'] };
    const contract = { ...contractFor(['/a']), 'x-unmatched-responses': declared };
    await withServer(contract, async (send) => {
      expect(await send('/a', 'OPTIONS')).toMatchObject({ status: 204, text: '' });
      expect((await send('/b', 'OPTIONS')).status).toBe(404);
    });
  });

  it('has its own OPTIONS operation called', async () => {
    await withServer(contractFor(['/a'], ['get', 'options']), async (send, calls) => {
      const options = await send('/a', 'OPTIONS');

      expect(options.status).toBe(204);
      expect(options.headers).not.toHaveProperty('allow');
      expect(calls).toHaveLength(1);
    });
  });
});

describe('below a base path', () => {
  it.each<[string, number]>([
    ['/api/a', 200],
    ['/api/a?b', 400],
    ['/api/', 200],
    ['/api', 404],
    ['/api?', 404],
    ['/a', 404],
    ['/API/a', 404],
    ['/api/a/', 404],
    ['/api/%61', 200],
    ['/api/%', 400],
  ])('%s: %i', async (path, status) => {
    await withServer(
      contractFor(['/a', '/']),
      async (send) => {
        expect((await send(path)).status).toBe(status);
      },
      { basePath: '/api' },
    );
  });
});

describe('a pipeline that fails while it answers', () => {
  it('leaves nothing unhandled: the client gets a bare 500', async () => {
    const contract = contractOf({
      '/a': { get: { operationId: 'getA', responses: engineResponses } },
    });

    await withServer(
      contract,
      async (send) => {
        // The handler answers with an undeclared status, and the log for that fault throws.
        const answer = await send('/a');

        expect(answer).toMatchObject({ status: 500, text: '' });
      },
      {
        onFault: () => {
          throw new Error('the disk is full');
        },
      },
    );
  });
});
