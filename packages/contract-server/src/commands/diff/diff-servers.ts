import { isObject } from '../../document/document.js';
import type { OperationChange } from './schema/change.js';

/** The servers where none are declared (OpenAPI 3.1 §4.8.1). */
const DEFAULT_SERVERS = [{ url: '/' }];

/** The servers of a contract or an operation: which addresses a client may use. */
export function diffServers(old: object, now: object): OperationChange[] {
  const before = addressesOf(old);
  const after = addressesOf(now);
  const changes = (some: Set<string>, others: Set<string>, what: string, breaks: boolean) =>
    [...some]
      .filter((address) => !others.has(address))
      .map((address) => ({
        breaks,
        location: 'servers',
        what: `${address} ${what}`,
        why: breaks ? 'clients that use it may find nothing there' : 'nobody uses it yet',
      }));
  return [...changes(before, after, 'removed', true), ...changes(after, before, 'added', false)];
}

/** The URL, and each value that is declared for a variable in it, as if it were one of its own. */
function addressesOf(object: object): Set<string> {
  const servers: unknown = Reflect.get(object, 'servers');
  const list =
    Array.isArray(servers) && servers.length > 0 ? (servers as unknown[]) : DEFAULT_SERVERS;
  const addresses = list.filter(isObject).flatMap(({ url, variables }) => [
    String(url),
    ...Object.entries(isObject(variables) ? variables : {}).flatMap(([name, variable]) => {
      if (!isObject(variable)) return [];
      const values: unknown[] = Array.isArray(variable.enum) ? variable.enum : [];
      return [
        `${String(url)} with ${name}=${String(variable.default)} by default`,
        ...values.map((value) => `${String(url)} with ${name}=${String(value)}`),
      ];
    }),
  ]);
  return new Set(addresses);
}
