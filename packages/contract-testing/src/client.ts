import supertest, { type Test } from 'supertest';
import { contractOf, createCheck, type Check, type CheckOptions } from './check.js';
import type { Answer, Call } from './client-types.js';
import { writeJson } from './exact-json.js';
import { isForm, writeForm } from './forms.js';
import { isSequence, writeItems } from './items.js';
import type { Verdict } from './judge.js';
import { isJson, UNMATCHED, type Operation } from './operations.js';
import { querystringOf, writeQuerystring } from './querystring.js';
import { exchangeOf } from './supertest-exchange.js';

/** What supertest takes: an express app, a server, or the URL of one without its base path. */
export type App = Parameters<typeof supertest>[0];

export interface ContractClientOptions extends CheckOptions {
  /** Sent with every call by operationId that doesn't say otherwise, such as a token. */
  readonly headers?: Readonly<Record<string, string>>;
}

const VERBS = [
  ...(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const),
  'query' as const,
];

/** Supertest, bound to the app and its base path: `request.post('/bookings').send(…)`. */
export type CheckedRequest = Readonly<Record<(typeof VERBS)[number], (path: string) => Test>>;

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
    const { body, headers = {}, query = {}, params = {} } = wanted;
    const path = operation.pathTemplate.replace(/\{([^}]*)\}/g, (_part, name: string) =>
      encodeURIComponent(String(params[name])),
    );
    const querystring = querystringOf(root, operation);
    const whole = query[querystring?.name ?? ''];
    const target =
      querystring === undefined || whole === undefined
        ? path
        : `${path}?${await writeQuerystring(querystring, whole)}`;
    let exact: unknown;
    const test = send(operation.method, target, ({ response }) => (exact = response.body));
    if (querystring === undefined) void test.query(query);
    void test.set({ ...common, ...stringsOf(headers) });
    const given = Object.entries(stringsOf(headers)).find(([name]) => /^content-type$/i.test(name));
    const mediaType = given?.[1] ?? mediaTypeOf(operation);
    if (isForm(mediaType) && typeof body === 'object' && body !== null) {
      const form = await writeForm(mediaType, body);
      void test.type(form.contentType).send(form.body);
    } else if (body !== undefined) {
      if (given === undefined) void test.type(mediaType);
      const isItems = Array.isArray(body) && isSequence(mediaType);
      void test.serialize(String).send(isItems ? writeItems(mediaType, body) : writeJson(body));
    }
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
  const request = Object.fromEntries(
    VERBS.map((verb) => [verb, (path: string) => send(verb, path)]),
  );
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

/** JSON where the operation takes it, and a form or items where it takes those instead. */
function mediaTypeOf({ requestBody }: Operation): string {
  const content = Object.keys((requestBody?.value.content as object | undefined) ?? {});
  const others = content.find(isForm) ?? content.find(isSequence);
  return content.find(isJson) ?? others ?? 'application/json';
}
