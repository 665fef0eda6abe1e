import { isObject, type ContractDocument } from '../../../document/document.js';
import { pairByKey } from '../change/pair-by-key.js';

export interface NamedScheme {
  readonly name: string;
  readonly document: ContractDocument;
  readonly definition: Readonly<Record<string, unknown>>;
}

interface SchemeDifference {
  readonly breaks: boolean;
  readonly what: string;
  readonly why: string;
}

/** Without members where the contract has no such scheme. */
export function schemeOf(document: ContractDocument, name: string): NamedScheme {
  const definition: unknown = document.resolve(document.root.components?.securitySchemes?.[name]);
  return { name, document, definition: isObject(definition) ? definition : {} };
}

/**
 * What has changed for a client that has credentials of the old scheme, and gets them as it told: how
 * a request shows them, and where those scopes can be had.
 */
export function compareSecuritySchemes(
  old: NamedScheme,
  now: NamedScheme,
  scopes: readonly string[],
): SchemeDifference[] {
  const [was, is] = [shownAs(old), shownAs(now)];
  if (was !== is) {
    const why = 'credentials are shown another way';
    return [{ breaks: true, what: `${was} -> ${is}`, why }];
  }
  return pairByKey(waysToGet(old), waysToGet(now)).flatMap(({ key: name, was: way, is: same }) => {
    if (same === undefined) {
      const why = 'clients that get their tokens so no longer do';
      return [{ breaks: true, what: `${name} removed`, why }];
    }
    if (way === undefined) {
      return [{ breaks: false, what: `${name} added`, why: 'it is one more way to get a token' }];
    }
    return compareWays(name, way, same, scopes);
  });
}

/** What a request has in it: a token is a bearer token however it was got (RFC 6749 §7.1, RFC 6750). */
function shownAs({ name, definition }: NamedScheme): string {
  const { type, scheme, in: location, name: key } = definition;
  switch (type) {
    case 'apiKey':
      return `${String(location)} ${location === 'header' ? String(key).toLowerCase() : String(key)}`;
    case 'http':
      return String(scheme).toLowerCase();
    case 'oauth2':
    case 'openIdConnect':
      return 'bearer';
    default:
      return typeof type === 'string' ? type : name;
  }
}

/** How a token can be had: by one of the flows, or from a provider. */
function waysToGet({ definition }: NamedScheme): Map<string, Readonly<Record<string, unknown>>> {
  const { type, flows, openIdConnectUrl } = definition;
  const ways = type === 'oauth2' && isObject(flows) ? Object.entries(flows) : [];
  return new Map([
    ...ways.flatMap(([name, flow]) => (isObject(flow) ? [[`flow ${name}`, flow] as const] : [])),
    ...(type === 'openIdConnect' ? [['provider', { openIdConnectUrl }] as const] : []),
  ]);
}

const URLS = [
  'authorizationUrl',
  'deviceAuthorizationUrl',
  'tokenUrl',
  'refreshUrl',
  'openIdConnectUrl',
];

function compareWays(
  name: string,
  old: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  scopes: readonly string[],
): SchemeDifference[] {
  const has = ({ scopes: all }: Readonly<Record<string, unknown>>, scope: string) =>
    isObject(all) && Object.hasOwn(all, scope);
  return [
    ...URLS.filter((url) => old[url] !== undefined && old[url] !== now[url]).map((url) => ({
      breaks: true,
      what: `${name}: ${url} ${told(old[url])} -> ${told(now[url])}`,
      why: 'clients look for it where it was',
    })),
    ...scopes
      .filter((scope) => has(old, scope) && !has(now, scope))
      .map((scope) => ({
        breaks: true,
        what: `${name}: scope ${scope} removed`,
        why: 'clients that ask for it may be refused a token (RFC 6749 §4.1.2.1)',
      })),
  ];
}

function told(url: unknown): string {
  return typeof url === 'string' ? url : 'none';
}
