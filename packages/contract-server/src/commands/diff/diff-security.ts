import type { OperationChange } from './schema/change.js';
import { isObject } from '../../document/document.js';
import type { DiffedOperation } from './list-operations.js';

/** Something that a request must prove, `scheme` or `scheme scope`, without the scheme's name. */
type Demand = string;

interface Alternative {
  readonly name: string;
  readonly demands: ReadonlySet<Demand>;
}

/** Who may call the operation: one of the alternatives must be satisfied (OpenAPI 3.1 §4.8.30). */
export function diffSecurity(old: DiffedOperation, now: DiffedOperation): OperationChange[] {
  const before = alternativesOf(old);
  const after = alternativesOf(now);
  const broken = before
    .filter(({ demands }) => !after.some((alternative) => asksNoMore(alternative, demands)))
    .map(({ name }) => ({
      breaks: true,
      location: 'security',
      what: `${name} no longer suffices`,
      why: `clients that call it so are refused; it takes ${listOf(after)}`,
    }));
  const added = after
    .filter(({ demands }) => !before.some((alternative) => asksNoMore(alternative, demands)))
    .map(({ name }) => ({
      breaks: false,
      location: 'security',
      what: `${name} suffices`,
      why: 'it is one more way to call it',
    }));
  // A new alternative that asks for more than the old ones is what those were turned into.
  return broken.length > 0 ? broken : added;
}

function asksNoMore({ demands }: Alternative, than: ReadonlySet<Demand>): boolean {
  return [...demands].every((demand) => than.has(demand));
}

function listOf(alternatives: readonly Alternative[]): string {
  return alternatives.map(({ name }) => name).join(' or ');
}

function alternativesOf({ security, document }: DiffedOperation): Alternative[] {
  if (security.length === 0) return [{ name: 'no credentials', demands: new Set() }];
  const schemes = document.root.components?.securitySchemes ?? {};
  return security.map((requirement) => {
    const demands = new Set<Demand>();
    const names = Object.entries(requirement).map(([scheme, scopes]) => {
      const definition = definitionOf(document.resolve(schemes[scheme]) ?? scheme);
      for (const scope of ['', ...scopes]) demands.add(`${definition} ${scope}`);
      return scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(', ')}`;
    });
    return { name: names.join(' and ') || 'no credentials', demands };
  });
}

/** The parts of a scheme that a request shows: neither its name nor its description. */
function definitionOf(scheme: unknown): string {
  return JSON.stringify(scheme, (name, value: unknown) => {
    if (['description', 'bearerFormat', 'scopes'].includes(name) || name.startsWith('x-')) {
      return undefined;
    }
    if (!isObject(value)) return name === 'scheme' ? String(value).toLowerCase() : value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
