import type { IncomingMessage } from 'node:http';
import type { ContractProblem } from '../document/contract-error.js';
import { isObject, type ContractDocument } from '../document/document.js';
import type { Operation } from '../operation/operation.js';

/**
 * A security scheme: what of a request is its credentials, and nothing else of it (OpenAPI 3.1
 * §4.8.27).
 */
export interface SecurityScheme {
  readonly name: string;
  /** The authentication scheme in the Authorization header, in lower case; none of an apiKey. */
  readonly httpScheme: string | undefined;
  /** For a 401 whose strategy has none: RFC 9110 §15.5.2 wants one in every 401. */
  readonly challenge: string;
  /** The name of the query parameter that is the credentials. */
  readonly queryName: string | undefined;
  /** Whether a request has credentials of this scheme, good ones or not. */
  isPresent(req: IncomingMessage): boolean;
  /** What the scheme's strategy gets to see; undefined refuses the request without asking it. */
  readCredentials(req: IncomingMessage): StrategyRequest | undefined;
}

/**
 * A request as a passport strategy sees it: the credentials of its scheme where strategies look for
 * them. With neither body nor any other parameter in it, a token in those can't be found (RFC 6750
 * §2.1 is the only way to send one).
 */
export interface StrategyRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

/** Shared by all requests: strategies read it, and could not write it. */
const NOTHING: Readonly<Record<string, string>> = Object.freeze({});

/** The scheme of a name; undefined, and a problem, where there is none that is supported. */
export function readSecurityScheme(
  document: ContractDocument,
  name: string,
  report: (problem: ContractProblem) => void,
  realm = name,
): SecurityScheme | undefined {
  const object = findScheme(document, name);
  const place = `security scheme ${name}`;
  if (object === undefined) {
    report({ place, what: 'is not defined' });
    return undefined;
  }
  switch (object.type) {
    case 'http':
      return authorizationScheme(name, String(object.scheme), realm);
    // Both end in an access token, and that is a bearer token (RFC 6749 §7.1, RFC 6750).
    case 'oauth2':
    case 'openIdConnect':
      return authorizationScheme(name, 'Bearer', realm);
    case 'apiKey':
      return apiKeyScheme(name, String(object.in), String(object.name), realm);
    default:
      report({ place, what: `the type ${String(object.type)} is not supported` });
      return undefined;
  }
}

/** The query parameters that an operation's security reads: they are secret, and not the handler's. */
export function securityQueryNames(
  document: ContractDocument,
  { security }: Operation,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const schemeName of security.flatMap((requirement) => Object.keys(requirement))) {
    const object = findScheme(document, schemeName);
    if (object?.type === 'apiKey' && object.in === 'query') names.add(String(object.name));
  }
  return names;
}

function findScheme(
  document: ContractDocument,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const schemes = document.root.components?.securitySchemes ?? {};
  const object = Object.hasOwn(schemes, name) ? document.resolve(schemes[name]) : undefined;
  return isObject(object) ? object : undefined;
}

function authorizationScheme(name: string, declared: string, realm: string): SecurityScheme {
  const httpScheme = declared.toLowerCase();
  return {
    name,
    httpScheme,
    challenge: `${declared.charAt(0).toUpperCase()}${declared.slice(1)} realm="${realm}"`,
    queryName: undefined,
    isPresent: ({ headers }) => (headers.authorization ?? '') !== '',
    readCredentials(req) {
      const { authorization } = req.headers;
      // Of several such headers Node takes the first, and a proxy may have checked the last.
      if (authorization !== undefined && isRepeated(req, 'authorization')) return undefined;
      const credentials =
        authorization === undefined ? undefined : credentialsOf(authorization, httpScheme);
      return strategyRequest(credentials === undefined ? NOTHING : { authorization: credentials });
    },
  };
}

function apiKeyScheme(name: string, place: string, keyName: string, realm: string): SecurityScheme {
  const readKeys = keyReader(place, keyName);
  // By the lower-case name, as node has it and strategies look for it.
  const strategyName = place === 'header' ? keyName.toLowerCase() : keyName;
  return {
    name,
    httpScheme: undefined,
    // No scheme is registered for API keys; this one says at least what is missing.
    challenge: `ApiKey realm="${realm}"`,
    queryName: place === 'query' ? keyName : undefined,
    isPresent: (req) => readKeys(req).some((key) => key !== ''),
    readCredentials(req) {
      const [key = '', ...others] = readKeys(req);
      // Two keys are refused, since nothing says which one counts.
      if (key === '' || others.length > 0) return undefined;
      const credentials = { [strategyName]: key };
      if (place === 'query') return strategyRequest(NOTHING, credentials);
      if (place === 'cookie') return strategyRequest(NOTHING, NOTHING, credentials);
      return strategyRequest(credentials);
    },
  };
}

function strategyRequest(
  headers: Readonly<Record<string, string>>,
  query = NOTHING,
  cookies = NOTHING,
): StrategyRequest {
  return { headers, query, cookies };
}

/**
 * An Authorization header of the scheme; undefined where it is of another one. The scheme may be in any
 * case, and what follows it stands behind at least one space (RFC 9110 §11.4); strategies expect one.
 */
function credentialsOf(authorization: string, httpScheme: string): string | undefined {
  const { length } = httpScheme;
  if (authorization.slice(0, length).toLowerCase() !== httpScheme) return undefined;
  let start = length;
  while (authorization.charCodeAt(start) === SPACE) start++;
  if (start === length && authorization.length > length) return undefined;
  if (start <= length + 1) return authorization;
  return `${authorization.slice(0, length)} ${authorization.slice(start)}`;
}

const SPACE = 0x20;

function isRepeated(req: IncomingMessage, name: string): boolean {
  let count = 0;
  for (let at = 0; at < req.rawHeaders.length; at += 2) {
    const rawName = req.rawHeaders[at];
    if (rawName?.length === name.length && rawName.toLowerCase() === name) count++;
  }
  return count > 1;
}

/** Reads every key of a request: none where there is none, and all where there are several. */
function keyReader(location: string, keyName: string): (req: IncomingMessage) => string[] {
  switch (location) {
    case 'query':
      return ({ url = '' }) => {
        const at = url.indexOf('?');
        return at === -1 ? [] : new URLSearchParams(url.slice(at)).getAll(keyName);
      };
    case 'cookie':
      return ({ headers: { cookie = '' } }) =>
        cookie
          .split(';')
          .map((pair) => pair.trim())
          .filter((pair) => pair.startsWith(`${keyName}=`))
          .map((pair) => readCookie(pair.slice(keyName.length + 1)));
    default: {
      const name = keyName.toLowerCase();
      return (req) => {
        const value = req.headers[name];
        if (value === undefined) return [];
        // The values of a repeated header are joined by node, or all but the first dropped.
        return isRepeated(req, name) ? ['repeated', 'repeated'] : [String(value)];
      };
    }
  }
}

/** As `res.cookie` writes a value; as it stands, quotes and all, where it isn't percent-encoded. */
function readCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
