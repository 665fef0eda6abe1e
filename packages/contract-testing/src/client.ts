import supertest, { type Test } from 'supertest';
import { contractOf, createCheck, type Check, type CheckOptions } from './check.js';
import type { Answer, Call } from './client-types.js';
import type { Verdict } from './judge.js';
import { UNMATCHED, type Operation } from './operations.js';
import { exchangeOf } from './supertest-exchange.js';
import { writeCall } from './written-call.js';

/** What supertest takes: an express app, a server, or the URL of one without its base path. */
export type App = Parameters<typeof supertest>[0];

export interface ContractClientOptions extends CheckOptions {
  /** Sent with every call by operationId that doesn't say otherwise, such as a token. */
  readonly headers?: Readonly<Record<string, string>>;
}

const METHODS = [
  ...(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const),
  'query' as const,
];

/** Supertest, bound to the app and its base path: `request.post('/bookings').send(…)`. */
export type CheckedRequest = Readonly<Record<(typeof METHODS)[number], (path: string) => Test>> & {
  /** For any other method, such as `COPY`, in the letters in which it is sent. */
  readonly method: (method: string, path: string) => Test;
};

/** One function for each operation, by its operationId, and what else can be asked. */
export type ContractClient<Operations> = {
  readonly [Id in keyof Operations]: (
    call: Call<Operations[Id]>,
  ) => Promise<Answer<Operations[Id]>>;
} & {
  /** Any request, also one that the contract doesn't allow; its answer is checked all the same. */
  readonly request: CheckedRequest;
  /** Judges and counts an exchange that was made in another way, such as over a socket. */
  readonly check: Check;
};

/**
 * A client for tests that holds every exchange against a contract: the answer's status, headers, media
 * type and body must be declared, and no request that the contract refuses may succeed. A test whose
 * exchange breaks the contract fails with a `ContractViolation`, which says what was expected where.
 *
 *     const api = contractClient<operations>(app, {
 *       contract: 'api/openapi.yaml',
 *       headers: { Authorization: `Bearer ${token}` },
 *     });
 *     const { status, body } = await api.createBooking({ body: { id: 1n, seat: '12A' } });
 *     await api.request.get('/nothing').expect(404);
 *
 * Calls by operationId are typed by what openapi-typescript makes of the contract, and have exact
 * integers (`bigint`) wherever it says int64. Without the types, calls take anything.
 */
export function contractClient<Operations = Record<string, unknown>>(
  app: App,
  options: ContractClientOptions,
): ContractClient<Operations> {
  const { basePath = '', headers: common = {} } = options;
  const check = createCheck(options);
  const { root, operations } = contractOf(options);

  /** @throws Error where this Node doesn't know the method */
  function send(method: string, path: string, then?: (verdict: Verdict) => void): Test {
    // It has a function for each method that Node knows, more than its types say.
    const agent = supertest(app) as unknown as Partial<Record<string, (path: string) => Test>>;
    const test = agent[method.toLowerCase()]?.(basePath + path);
    if (test === undefined) throw new Error(`this version of Node has no method ${method}`);
    return test.expect((response) => {
      const verdict = check(exchangeOf(response));
      then?.(verdict);
    });
  }

  async function call(operation: Operation, wanted: Call<unknown> = {}): Promise<Answer<unknown>> {
    const { target, headers, body } = await writeCall(root, operation, wanted);
    let exact: unknown;
    const test = send(operation.method, target, ({ response }) => (exact = response.body));
    void test.set({ ...common, ...headers });
    if (body !== undefined) void test.type(body.contentType).send(body.content);
    const answer = await test;
    return {
      status: answer.status,
      headers: stringsOf(answer.headers),
      body: exact,
      text: answer.text,
    };
  }

  const calls = operations
    .filter(({ operationId }) => operationId !== UNMATCHED)
    .map((operation) => [operation.operationId, (given?: Call<unknown>) => call(operation, given)]);
  const methods = METHODS.map((name) => [name, (path: string) => send(name, path)] as const);
  const method = (name: string, path: string): Test => send(name, path);
  const request = { ...Object.fromEntries(methods), method };
  // What the types say of each operation is what the contract says, by which every call is checked.
  return { ...Object.fromEntries(calls), request, check } as ContractClient<Operations>;
}

function stringsOf(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[name, [value].flat().map(String).join(', ')]],
    ),
  );
}
