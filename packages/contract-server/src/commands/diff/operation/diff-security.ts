import type { Effect } from '../change/change.js';
import type { Part } from '../change/part.js';
import { placeOf } from '../change/place.js';
import { compareSecuritySchemes, schemeOf, type NamedScheme } from './compare-security-schemes.js';
import type { DiffedOperation } from './list-operations.js';

/** What satisfies an operation: credentials of every scheme, each with its scopes. */
interface Alternative {
  readonly name: string;
  readonly demands: readonly Demand[];
}

interface Demand {
  readonly scheme: NamedScheme;
  readonly scopes: readonly string[];
}

/** Who may call the operation: one of the alternatives must be satisfied (OpenAPI 3.1 §4.8.30). */
export function diffSecurity(old: DiffedOperation, now: DiffedOperation): Effect[] {
  const before = alternativesOf(old);
  const after = alternativesOf(now);
  return [
    ...diffAlternatives(requirementsOf(old, now), before, after),
    ...diffSchemes(before, after),
  ];
}

/** Where it is said who may call: by the operation, or for the whole contract. */
function requirementsOf(old: DiffedOperation, now: DiffedOperation): Part {
  const [was, is] = [old, now].map(({ object, place }) =>
    object.security === undefined ? '/security' : `${place}/security`,
  );
  return { location: 'security', definition: was === is ? is : undefined };
}

function diffAlternatives(
  part: Part,
  before: readonly Alternative[],
  after: readonly Alternative[],
): Effect[] {
  const broken = before.filter((old) => !after.some((now) => asksNoMore(now, old)));
  // A new alternative that asks for more than the old ones is what those were turned into.
  if (broken.length > 0) {
    const why = `clients that call it so are refused; it takes ${listOf(after)}`;
    return broken.map(({ name }) => ({
      ...part,
      breaks: true,
      what: `${name} no longer suffices`,
      why,
    }));
  }
  return after
    .filter((now) => !before.some((old) => asksNoMore(old, now)))
    .map(({ name }) => ({
      ...part,
      breaks: false,
      what: `${name} suffices`,
      why: 'it is one more way to call it',
    }));
}

/** Whether what satisfies the other alternative satisfies this one. A scheme that has changed is told of by itself. */
function asksNoMore({ demands }: Alternative, other: Alternative): boolean {
  return demands.every(({ scheme, scopes }) =>
    other.demands.some(
      (given) =>
        scopes.every((scope) => given.scopes.includes(scope)) &&
        (given.scheme.name === scheme.name ||
          compareSecuritySchemes(given.scheme, scheme, []).every(({ breaks }) => !breaks)),
    ),
  );
}

function listOf(alternatives: readonly Alternative[]): string {
  return alternatives.map(({ name }) => name).join(' or ');
}

/** The schemes that are asked for by both contracts, and have changed. */
function diffSchemes(before: readonly Alternative[], after: readonly Alternative[]): Effect[] {
  const asked = after.flatMap(({ demands }) => demands);
  return before
    .flatMap(({ demands }) => demands)
    .flatMap(({ scheme, scopes }): Effect[] => {
      const now = asked.find((one) => one.scheme.name === scheme.name)?.scheme;
      if (now === undefined) return [];
      return compareSecuritySchemes(scheme, now, scopes).map((difference) => ({
        ...difference,
        location: `security scheme ${scheme.name}`,
        definition: placeOf(now.document, now.definition),
      }));
    });
}

function alternativesOf({ security, document }: DiffedOperation): Alternative[] {
  if (security.length === 0) return [{ name: 'no credentials', demands: [] }];
  return security.map((requirement) => {
    const asked = Object.entries(requirement);
    const names = asked.map(([name, scopes]) =>
      scopes.length === 0 ? name : `${name} with ${scopes.join(', ')}`,
    );
    return {
      name: names.join(' and ') || 'no credentials',
      demands: asked.map(([name, scopes]) => ({ scheme: schemeOf(document, name), scopes })),
    };
  });
}
