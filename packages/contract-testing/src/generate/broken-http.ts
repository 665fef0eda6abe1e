import type { Way } from './case.js';
import type { Contract } from './contract.js';
import { fromLiteral, writeJson } from './json.js';
import { membersOf } from './members.js';
import { LONG_NAMES } from './strings.js';
import { credentialsFor, writeRequest, type Credential, type Draft } from './draft.js';
import { withBody, withHeader, type TestRequest } from './request.js';
import type { Caller } from './valid-requests.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'];

/** A query parameter that isn't declared, and an `Accept` that excludes every answer. */
export function brokenHeaders(draft: Draft): Way[] {
  const { operation } = draft;
  const ways: Way[] = [];
  const add = (
    broken: string,
    status: number,
    change: (request: TestRequest) => TestRequest,
  ): void => {
    const make = () => ({ request: change(writeRequest(draft)), statuses: [status], operation });
    ways.push({ broken, make });
  };
  // Where one parameter is the whole query, it says what else may be in it.
  if (operation.querystring === undefined && !operation.parameters.some(isOpenQuery)) {
    const long = LONG_NAMES.map((name) => `${encodeURIComponent(name)}=1`);
    const odd = ['x-unknown=1', 'x-unknown', '__proto__=1', 'id=1', 'access_token=a', '=1'];
    for (const pair of [...odd, ...long]) {
      if (operation.parameters.some(({ name }) => pair.startsWith(name))) continue;
      add('query: undeclared parameter', 400, (request) => withQuery(request, pair));
    }
  }
  const answers = [...operation.responses.values()].flatMap(({ content }) => [...content.keys()]);
  if (answers.length > 0 && !answers.some((mediaType) => mediaType.includes('*'))) {
    const excluded = answers.map((mediaType) => `${mediaType};q=0`).join(', ');
    const others = answers.some((type) => type.startsWith('image/')) ? [] : ['image/*'];
    for (const accept of ['application/x-other', ...others, excluded]) {
      add('Accept', 406, (request) => withHeader(request, 'Accept', accept));
    }
  }
  return ways;
}

/** An exploded object takes names that it doesn't declare (OpenAPI 3.1 §4.8.12.4). */
function isOpenQuery({
  in: location,
  style,
  explode,
  schema,
}: Draft['operation']['parameters'][number]): boolean {
  if (location !== 'query' || style !== 'form' || !explode || typeof schema !== 'object')
    return false;
  return writeJson(fromLiteral(schema)).includes('"object"') || '$ref' in schema;
}

/** Credentials that are missing, mangled, elsewhere or there twice. */
export function brokenCredentials(contract: Contract, draft: Draft, { secrets }: Caller): Way[] {
  const { operation } = draft;
  const isOptional = operation.security.some(
    (requirement) => Object.keys(requirement).length === 0,
  );
  if (operation.security.length === 0 || isOptional) return [];
  const ways: Way[] = [];
  const send = (
    broken: string,
    credentials: readonly Credential[],
    change = (request: TestRequest) => request,
  ): void => {
    const make = () => ({
      request: change(writeRequest({ ...draft, credentials })),
      statuses: [401],
      operation,
    });
    ways.push({ broken: `credentials: ${broken}`, make });
  };
  send('none', []);
  // Who isn't known learns nothing else, and costs nothing else.
  const unknown = 'none, and something else wrong';
  send(unknown, [], (request) => withQuery(request, 'x-unknown=1'));
  send(unknown, [], (request) => withHeader(request, 'Accept', 'application/x-other'));
  if (operation.body !== undefined) {
    const json = (request: TestRequest) => withHeader(request, 'Content-Type', 'application/json');
    send(unknown, [], (request) => json(withBody(request, '{')));
    send(unknown, [], (request) => withHeader(request, 'Content-Type', 'text/x-other'));
    send(unknown, [], (request) => withBody(request, undefined));
  }
  for (const name of new Set(operation.security.flatMap((one) => Object.keys(one)))) {
    const secret = secrets[name] ?? '';
    for (const good of credentialsFor(contract, name, secret)) {
      const changed = (from: string, to: string): Credential[] => [
        { ...good, value: good.value.replace(from, to) },
      ];
      for (const wrong of [secret.slice(0, -1), `${secret}x`, `x${secret}`, secret.toUpperCase()]) {
        send('unknown', changed(secret, wrong));
      }
      send('empty', changed(secret, ''));
      if (good.in !== 'query') {
        send('in the query', [{ in: 'query', name: 'access_token', value: secret }]);
      }
      if (good.in === 'header') send('twice', [good, good]);
      if (good.name !== 'Authorization') continue;
      const own = good.value.toLowerCase();
      for (const scheme of ['', 'Basic ', 'Token ']) {
        if (scheme !== '' && own.startsWith(scheme.toLowerCase())) continue;
        send('of another scheme', [{ ...good, value: scheme + secret }]);
      }
      for (const space of ['', '\t']) {
        const value = good.value.replace(/ +/, space);
        send('of another scheme', [{ ...good, value }]);
      }
    }
  }
  return ways;
}

/** Other methods, other paths, and targets that are none: requests that reach no operation. */
export function unmatchedRequests(contract: Contract, draft: Draft): Way[] {
  const { pathMethods: allow } = draft.operation;
  const ways: Way[] = [];
  const add = (
    broken: string,
    status: number,
    change: (request: TestRequest, path: string) => Partial<TestRequest>,
    expected: { readonly allow?: readonly string[] } = {},
  ): void => {
    const make = () => {
      const request = writeRequest(draft);
      const [path = '/'] = request.target.split('?');
      const changed = { ...request, ...change(request, path) };
      return { request: changed, statuses: [status], operation: undefined, ...expected };
    };
    ways.push({ broken, make });
  };
  for (const method of METHODS.filter((one) => !allow.includes(one))) {
    const isBodiless = ['TRACE', 'HEAD', 'GET'].includes(method);
    const change = ({ body }: TestRequest) => ({ method, body: isBodiless ? undefined : body });
    add('method', 405, change, { allow });
  }
  add('OPTIONS', 204, () => ({ method: 'OPTIONS', body: undefined }), { allow });
  for (const rename of RENAMES) {
    const make = () => {
      const request = writeRequest(draft);
      const [path = '/'] = request.target.split('?');
      const target = request.target.replace(path, () => rename(path));
      if (isDeclaredPath(contract, rename(path))) return undefined;
      return { request: { ...request, target }, statuses: [404], operation: undefined };
    };
    ways.push({ broken: 'path', make });
  }
  add('target: fragment', 400, ({ target }) => ({ target: `${target}#x` }));
  add('target: not a path', 400, ({ target }) => ({ target: `ftp://x.example${target}` }));
  add('path: percent-encoding', 400, (_request, path) => ({ target: `${path}%zz` }));
  return ways;
}

const RENAMES: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}x`,
  (path) => `/x${path}`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  () => '/',
];

/** Whether an operation of the contract has the path, also one to which no requests are made. */
function isDeclaredPath({ root }: Contract, path: string): boolean {
  return Object.keys(membersOf(root.paths)).some((template) => {
    const literals = template
      // What stands before a query or a fragment, which no path has, may be answered with 501.
      .replace(/[?#].*/, '')
      .split(/\{[^}]*\}/)
      .map((text) => text.replace(/[^\w/]/g, '\\$&'));
    return new RegExp(`^${literals.join('[^/]+')}$`).test(path);
  });
}

function withQuery(request: TestRequest, pair: string): TestRequest {
  const separator = request.target.includes('?') ? '&' : '?';
  return { ...request, target: request.target + separator + pair };
}
