import fc from 'fast-check';
import { brokenCredentials, brokenHeaders, unmatchedRequests } from './broken-http.js';
import { brokenBodies, brokenParameters } from './broken-parts.js';
import { brokenQuerystrings } from './broken-querystrings.js';
import type { Case, Way } from './case.js';
import type { Contract } from './contract.js';
import type { Operation } from './operation.js';
import { meaningOf, writeRequest, type Draft } from './draft.js';
import { Schemas } from './schemas.js';
import { validDrafts, type Caller } from './valid-requests.js';
import { Values } from './values.js';

export interface Cases {
  readonly valid: fc.Arbitrary<Case>;
  readonly broken: fc.Arbitrary<Case>;
}

/** Everything that a generator of requests for one operation needs; it costs time to make. */
export function casesOf(contract: Contract, operation: Operation, caller: Caller): Cases {
  const values = valuesOf(contract);
  const { schemas } = values;
  const drafts = validDrafts(contract, operation, values, caller);
  const statuses = successStatuses(operation);
  return {
    valid: drafts.map((draft) => ({
      broken: 'nothing',
      request: writeRequest(draft),
      statuses,
      operation,
      meaning: meaningOf(draft),
    })),
    // First the way to break it, so that ways with many variants don't crowd out the others.
    broken: fc.tuple(drafts, fc.nat(), fc.nat()).map(([draft, way, variant]) => {
      const groups = groupedByName(waysToBreak(contract, schemas, draft, caller));
      for (const group of rotated(groups, way)) {
        for (const { broken, make } of rotated(group, variant)) {
          const made = make();
          if (made !== undefined) return { broken, ...made };
        }
      }
      throw new Error(`found no way to break ${operation.operationId}`);
    }),
  };
}

/** Every way to break one valid request in one place. */
export function waysToBreak(
  contract: Contract,
  schemas: Schemas,
  draft: Draft,
  caller: Caller,
): Way[] {
  return [
    ...brokenParameters(schemas, draft),
    ...brokenQuerystrings(schemas, draft),
    ...brokenBodies(schemas, draft, caller),
    ...brokenHeaders(draft),
    ...brokenCredentials(contract, draft, caller),
    ...unmatchedRequests(contract, draft),
  ];
}

export function groupedByName(ways: readonly Way[]): Way[][] {
  const groups = new Map<string, Way[]>();
  for (const way of ways) {
    const group = groups.get(way.broken);
    if (group === undefined) groups.set(way.broken, [way]);
    else group.push(way);
  }
  return [...groups.values()];
}

/** All of them, beginning with the one that a number chooses. */
function rotated<Item>(items: readonly Item[], choice: number): Item[] {
  const at = choice % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}

const made = new WeakMap<Contract, Values>();

/** The values of a contract's requests; made once, because that takes long. */
export function valuesOf(contract: Contract): Values {
  const values = made.get(contract) ?? new Values(new Schemas(contract.root, 'request'));
  made.set(contract, values);
  return values;
}

export function successStatuses({ responses }: Operation): number[] {
  return [...responses.keys()].flatMap((status) => {
    if (/^2\d\d$/.test(status)) return [Number(status)];
    return /^2XX$/i.test(status) ? Array.from({ length: 100 }, (_, n) => 200 + n) : [];
  });
}
