import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  contractClient,
  ContractViolation,
  type ContractClient,
  type Problem,
} from 'contract-testing';

type Untyped = Record<string, unknown>;

/** As openapi-typescript writes it. */
interface Operations {
  createPlant: {
    requestBody: { content: { 'application/json': { id: bigint; name: string } } };
    responses: {
      200: { content: { 'application/json': { name: string } } };
      409: { content: { 'application/json': { message: string } } };
    };
  };
  addPlant: {
    responses: {
      201: { content: { 'application/json': { id: bigint } } };
      '4XX': { content: { 'application/json': { code: number } } };
      default: { content: { 'application/json': { message: string } } };
    };
  };
}

const plant = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    planted: { type: 'string', format: 'date' },
    secret: { type: 'string', writeOnly: true },
  },
};

function contractOf(openapi: string, schema: object): Untyped {
  const content = { 'application/json': { schema } };
  return {
    openapi,
    info: { title: 'plants', version: '1' },
    paths: {
      '/plants/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        put: {
          operationId: 'putPlant',
          parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
          requestBody: { required: true, content },
          responses: {
            '200': {
              description: '',
              headers: {
                'X-Left': { required: true, schema: { type: 'integer', minimum: 0 } },
              },
              content,
            },
            '4XX': {
              description: '',
              content: { 'text/plain': { schema: { type: 'string', maxLength: 9 } } },
            },
          },
        },
      },
    },
    'x-unmatched-responses': { '404': { description: '' } },
  };
}

interface Given {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A service that answers everything with the same. */
function clientOf(
  given: Given,
  schema: object = plant,
  openapi = '3.1.0',
): ContractClient<Untyped> {
  const { status = 200, headers = {}, body = '{"id":1}' } = given;
  const app = (req: IncomingMessage, res: ServerResponse): void => {
    req.resume();
    res.writeHead(status, { 'Content-Type': 'application/json', 'X-Left': '1', ...headers });
    res.end(body);
  };
  return contractClient<Untyped>(app, { contract: contractOf(openapi, schema) });
}

const valid = { params: { id: 1 }, body: { id: 1 } };

async function problemsOf(exchange: PromiseLike<unknown>): Promise<readonly Problem[]> {
  try {
    await exchange;
  } catch (error) {
    if (error instanceof ContractViolation) return error.problems;
    throw error;
  }
  return [];
}

describe('an answer', () => {
  it('passes where the contract declares all of it', async () => {
    const api = clientOf({});

    expect(await api.putPlant?.(valid)).toMatchObject({ status: 200, body: { id: 1n } });
  });

  it.each<[string, Given, Problem]>([
    [
      'a status that is not declared',
      { status: 201 },
      { pointer: '/status', expected: 'one of the declared 200, 4XX', received: 201 },
    ],
    [
      'a media type that is not declared',
      { headers: { 'Content-Type': 'text/html' } },
      {
        pointer: '/headers/content-type',
        expected: 'one of application/json',
        received: 'text/html',
      },
    ],
    [
      'a header that its schema refuses',
      { headers: { 'X-Left': '-1' } },
      { pointer: '/headers/x-left', expected: 'must be >= 0', received: -1 },
    ],
    [
      'a body without a required member',
      { body: '{}' },
      { pointer: '/body/id', expected: 'is required', received: undefined },
    ],
    [
      'a member of another type',
      { body: '{"id":"1"}' },
      { pointer: '/body/id', expected: 'must be integer', received: '1' },
    ],
    [
      'what is write-only',
      { body: '{"id":1,"secret":"x"}' },
      { pointer: '/body/secret', expected: 'must not be there', received: 'x' },
    ],
    [
      'a text that its schema refuses',
      { status: 404, headers: { 'Content-Type': 'text/plain' }, body: 'far too long' },
      {
        pointer: '/body',
        expected: 'must NOT have more than 9 characters',
        received: 'far too long',
      },
    ],
    [
      'a text that is not of its format',
      { body: '{"id":1,"planted":"2026-02-30"}' },
      {
        pointer: '/body/planted',
        expected: 'must match format "date"',
        received: '2026-02-30',
      },
    ],
    [
      'an integer that is one too large for int64, which no double shows',
      { body: '{"id":9223372036854775808}' },
      { pointer: '/body/id', expected: 'must be an integer of format int64', received: 2 ** 63 },
    ],
    [
      'a fraction that no double shows',
      { body: '{"id":1.00000000000000000001}' },
      { pointer: '/body/id', expected: 'must be an integer of format int64', received: 1 },
    ],
  ])('is a violation where it has %s', async (_case, given, problem) => {
    expect(
      await problemsOf(clientOf(given).request.put('/plants/1').send({ id: 1 })),
    ).toContainEqual(problem);
  });

  it('is a violation where it lacks a required header', async () => {
    const app = (_req: IncomingMessage, res: ServerResponse): void => {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1}');
    };
    const api = contractClient<Untyped>(app, { contract: contractOf('3.1.0', plant) });

    expect(await problemsOf(api.request.put('/plants/1').send({ id: 1 }))).toEqual([
      { pointer: '/headers/x-left', expected: 'is required', received: undefined },
    ]);
  });

  it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '1e2', '1.0'])(
    'has the int64 %s to the last digit',
    async (digits) => {
      const answer = await clientOf({ body: `{"id":${digits}}` }).putPlant?.(valid);

      expect(answer?.body).toEqual({
        id: BigInt(digits === '1e2' ? 100 : digits.replace('.0', '')),
      });
    },
  );

  it('to a request that reaches no operation is one of x-unmatched-responses', async () => {
    const get = (status: number) =>
      problemsOf(clientOf({ status, body: '' }).request.get('/nothing'));

    expect(await get(404)).toEqual([]);
    expect(await get(410)).toEqual([
      { pointer: '/status', expected: 'one of the declared 404', received: 410 },
    ]);
  });

  it('is a violation where its body is not JSON, however it came', () => {
    const exchange = {
      ...{ method: 'PUT', target: '/plants/1', requestHeaders: {}, requestBody: undefined },
      ...{ status: 200, headers: { 'content-type': 'application/json', 'x-left': '1' } },
      text: '{"id":1',
    };

    expect(() => clientOf({}).check(exchange)).toThrow(/\/body\n +expected: JSON: SyntaxError/);
  });

  it.each(['/plants/%zz', '/plants/1#x'])('to %s is one of those too', (target) => {
    const exchange = {
      ...{ method: 'PUT', target, requestHeaders: {}, requestBody: '{"id":1}' },
      ...{ status: 404, headers: {}, text: '' },
    };

    expect(clientOf({}).check(exchange)).toMatchObject({ operationId: 'unmatched' });
  });

  it('of an operation is not one of those', async () => {
    const api = clientOf({ status: 304, body: '' });

    expect(await problemsOf(api.request.put('/plants/1').send({ id: 1 }))).toHaveLength(1);
  });
});

describe('a request', () => {
  const refusal = { status: 400, headers: { 'Content-Type': 'text/plain' } };

  it.each<[string, string, string | undefined]>([
    ['with a body without a required member', '{}', '/body/id'],
    ['with an id beyond int64', '{"id":-9223372036854775809}', '/body/id'],
    ['with a body that is not JSON', '{', '/body'],
    ['without a body', '', '/body'],
  ])('%s may be refused, and not accepted', async (_case, body, pointer) => {
    const send = (given: Given) =>
      problemsOf(
        clientOf(given).request.put('/plants/1').type('json').serialize(String).send(body),
      );

    expect(await send(refusal)).toEqual([]);
    expect((await send({})).map((problem) => problem.pointer)).toEqual([
      `(request accepted) ${pointer}`,
    ]);
  });

  it.each(['/plants/a', '/plants/1?dry=perhaps'])('for %s likewise', async (path) => {
    const send = (given: Given) => problemsOf(clientOf(given).request.put(path).send({ id: 1 }));

    expect(await send(refusal)).toEqual([]);
    expect(await send({})).toHaveLength(1);
  });

  it('is sent with exact integers', async () => {
    let sent = '';
    const app = (req: IncomingMessage, res: ServerResponse): void => {
      req.setEncoding('utf8').on('data', (part: string) => (sent += part));
      req.on('end', () => {
        const headers = { 'Content-Type': 'application/json', 'X-Left': '1' };
        res.writeHead(200, headers).end('{"id":1}');
      });
    };
    const api = contractClient<Untyped>(app, { contract: contractOf('3.1.0', plant) });

    await api.putPlant?.({ params: { id: 1 }, body: { id: 9223372036854775807n } });

    expect(sent).toBe('{"id":9223372036854775807}');
  });
});

describe('a contract of OpenAPI 3.0', () => {
  const old = {
    type: 'object',
    properties: {
      name: { type: 'string', nullable: true },
      height: { type: 'number', minimum: 0, exclusiveMinimum: true },
    },
  };

  it.each([
    ['null for what is nullable', '{"name":null}', 0],
    ['a number above an exclusive minimum', '{"height":0.1}', 0],
    ['an exclusive minimum', '{"height":0}', 1],
    ['a name that is neither', '{"name":1}', 1],
  ])('has its own words for %s', async (_case, body, problems) => {
    const api = clientOf({ body }, old, '3.0.3');

    expect(await problemsOf(api.request.put('/plants/1').send({}))).toHaveLength(problems);
  });
});

it('says in the error what was expected where', async () => {
  const failing = clientOf({ body: '{"id":true}' }).request.put('/plants/1').send({ id: 1 });

  await expect(failing).rejects.toThrow(
    [
      'putPlant: PUT /plants/1 was answered 200, which is not what the contract says',
      '  /body/id',
      '    expected: must be integer',
      '    received: true',
    ].join('\n'),
  );
});

it('is typed by the contract', () => {
  // Never called: it is for the compiler, which refuses an expected error that isn't there.
  const typed = async ({ createPlant }: ContractClient<Operations>): Promise<string> => {
    // @ts-expect-error -- an int64 is a bigint
    await createPlant({ body: { id: 1, name: 'fern' } });
    // @ts-expect-error -- the body is required
    await createPlant({});
    const answer = await createPlant({ body: { id: 1n, name: 'fern' }, headers: { A: 'b' } });
    return answer.status === 200 ? answer.body.name : answer.body.message;
  };

  expect(typed).toBeInstanceOf(Function);
});

it('tells an answer from a range and from the default by its status', () => {
  const typed = async ({ addPlant }: ContractClient<Operations>): Promise<unknown> => {
    const answer = await addPlant({});
    if (answer.status === 201) return answer.body.id satisfies bigint;
    if (answer.status === 404) return answer.body.code satisfies number;
    if (answer.status === 500) return answer.body.message satisfies string;
    // @ts-expect-error -- 201 is a status of its own, and was dealt with
    return answer.status === 201;
  };

  expect(typed).toBeInstanceOf(Function);
});
