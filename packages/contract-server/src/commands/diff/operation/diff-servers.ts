import { isObject } from '../../../document/document.js';
import type { Effect } from '../change/change.js';
import type { Part } from '../change/part.js';
import { placeOf } from '../change/place.js';
import type { DiffedOperation } from './list-operations.js';

/** The servers where none are declared (OpenAPI 3.1 §4.8.1). */
const DEFAULT_SERVERS = [{ url: '/' }];

/** Which addresses the clients of an operation may use. */
export function diffServers(old: DiffedOperation, now: DiffedOperation): Effect[] {
  const [before, after] = [serversOf(old), serversOf(now)];
  const part: Part = {
    location: 'servers',
    definition: before.place === after.place ? after.place : undefined,
  };
  const [was, is] = [addressesOf(before.servers), addressesOf(after.servers)];
  return [
    ...[...was]
      .filter((address) => !isServed(address, is))
      .map((address) => ({
        ...part,
        breaks: true,
        what: `${address} removed`,
        why: 'clients that use it may find nothing there',
      })),
    ...[...is]
      .filter((address) => !was.has(address))
      .map((address) => ({
        ...part,
        breaks: false,
        what: `${address} added`,
        why: 'nobody uses it yet',
      })),
  ];
}

/** The servers of the operation, else of its path, else of the contract; and where they are declared. */
function serversOf({ document, object, pathItem }: DiffedOperation) {
  const owner = [object, pathItem].find(({ servers }) => servers !== undefined) ?? document.root;
  const servers: unknown = Reflect.get(owner, 'servers');
  return { servers, place: `${placeOf(document, owner) ?? ''}/servers` };
}

const BY_DEFAULT = ' by default';

/** What was the default is still served where it is one of the values that are named. */
function isServed(address: string, now: ReadonlySet<string>): boolean {
  return now.has(address) || now.has(address.replace(BY_DEFAULT, ''));
}

/** The URL, and each value that is declared for a variable in it, as if it were one of its own. */
function addressesOf(servers: unknown): Set<string> {
  const list =
    Array.isArray(servers) && servers.length > 0 ? (servers as unknown[]) : DEFAULT_SERVERS;
  const addresses = list.filter(isObject).flatMap(({ url, variables }) => [
    String(url),
    ...Object.entries(isObject(variables) ? variables : {}).flatMap(([name, variable]) => {
      if (!isObject(variable)) return [];
      const values: unknown[] = Array.isArray(variable.enum) ? variable.enum : [];
      return [
        `${String(url)} with ${name}=${String(variable.default)}${BY_DEFAULT}`,
        ...values.map((value) => `${String(url)} with ${name}=${String(value)}`),
      ];
    }),
  ]);
  return new Set(addresses);
}
