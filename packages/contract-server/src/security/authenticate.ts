import type { IncomingMessage } from 'node:http';
import { describeProblem, type ContractProblem } from '../document/contract-error.js';
import type { ContractDocument, SecurityRequirement } from '../document/document.js';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import type { Operation } from '../operation/operation.js';
import { hasScopes, insufficientScope, type LackingScheme } from './scopes.js';
import { readSecurityScheme, type SecurityScheme } from './security-scheme.js';
import { createSchemeCheck, type CheckScheme, type Strategies, type Verdict } from './strategy.js';

/**
 * Finds out who makes a request.
 * @throws ApiError 401, 403
 */
export type Authenticate = (req: IncomingMessage) => Promise<Identity>;

export interface Identity {
  /**
   * Who the strategy of the satisfied security scheme says is calling; that of the first scheme, where
   * several are required; undefined where anyone may call.
   */
  readonly principal: unknown;
  /** The principal of each scheme of the satisfied alternative, by the scheme's name. */
  readonly principals: Readonly<Record<string, unknown>>;
}

/** One scheme of a security requirement. */
interface RequiredScheme {
  readonly scheme: SecurityScheme;
  readonly check: CheckScheme;
  readonly scopes: readonly string[];
}

const ANYBODY: Identity = { principal: undefined, principals: {} };

/** All of them must be satisfied. */
type Alternative = readonly RequiredScheme[];

/**
 * Builds the authentication of operations from security schemes and their strategies. Fails closed:
 * a scheme that an operation asks for and that has no strategy, or is of a kind that isn't supported,
 * is a problem, and problems stop the boot. A scheme that no operation asks for needs no strategy.
 */
export function createAuthenticator(
  document: ContractDocument,
  strategies: Strategies,
  problems: string[],
  realm?: string,
): (operation: Operation) => Authenticate {
  const schemes = document.root.components?.securitySchemes ?? {};
  for (const name of Object.keys(strategies)) {
    if (!Object.hasOwn(schemes, name)) {
      problems.push(`strategy ${name}: the contract has no such security scheme`);
    }
  }
  const used = new Map<string, Omit<RequiredScheme, 'scopes'> | undefined>();
  function use(name: string): Omit<RequiredScheme, 'scopes'> | undefined {
    if (used.has(name)) return used.get(name);
    const report = (problem: ContractProblem): unknown => problems.push(describeProblem(problem));
    const scheme = readSecurityScheme(document, name, report, realm);
    const strategy = Object.hasOwn(strategies, name) ? strategies[name] : undefined;
    if (scheme !== undefined && strategy === undefined) {
      problems.push(
        `security scheme ${name}: has no strategy; supply a passport strategy of that name`,
      );
    }
    const usable = scheme && strategy && { scheme, check: createSchemeCheck(scheme, strategy) };
    used.set(name, usable);
    return usable;
  }

  function createAlternative(requirement: SecurityRequirement): Alternative | undefined {
    const required: RequiredScheme[] = [];
    for (const [name, scopes] of Object.entries(requirement)) {
      const usable = use(name);
      // It is reported as a problem. Without this scheme the alternative would ask for less, so it is dropped.
      if (usable === undefined) return undefined;
      required.push({ ...usable, scopes });
    }
    return required;
  }

  return ({ security }) => {
    if (security.length === 0) return () => Promise.resolve(ANYBODY);
    const alternatives = security.map(createAlternative);
    return createAuthenticate(alternatives.filter((alternative) => alternative !== undefined));
  };
}

/** The statuses that authentication may answer with; none where anyone may call. */
export function refusalStatuses(security: readonly SecurityRequirement[]): number[] {
  const demands = security.map((requirement) => Object.values(requirement));
  if (demands.length === 0 || demands.some((scopes) => scopes.length === 0)) return [];
  const hasScopes = demands.flat().some((scopes) => scopes.length > 0);
  return hasScopes ? [401, 403] : [401];
}

/**
 * One of the alternatives must be satisfied, each by all of its schemes (OpenAPI 3.1 §4.8.30). The
 * empty one always is; it comes last, so that who sends credentials is known by them.
 */
function createAuthenticate(alternatives: readonly Alternative[]): Authenticate {
  const demanding = alternatives.filter((alternative) => alternative.length > 0);
  const isOptional = demanding.length < alternatives.length;

  return async (req) => {
    const verdicts: Verdicts = new Map();
    const refusals: Refusal[] = [];
    for (const alternative of demanding) {
      for (const { check } of alternative) {
        const verdict = verdicts.get(check) ?? (await check(req));
        verdicts.set(check, verdict);
        if (!verdict.isSatisfied) break;
      }
      const outcome = judge(alternative, verdicts);
      if ('principals' in outcome) return outcome;
      refusals.push(outcome);
    }
    if (isOptional) return ANYBODY;
    throw refusalOf(refusals, demanding, req);
  };
}

/** Of one request: a scheme that stands in several alternatives is asked once. */
type Verdicts = Map<CheckScheme, Verdict>;

type Refusal = { readonly challenge: string } | { readonly lacking: readonly LackingScheme[] };

/** What the verdicts say of an alternative whose schemes have been asked up to the first that refuses. */
function judge(alternative: Alternative, verdicts: Verdicts): Identity | Refusal {
  const principals: Record<string, unknown> = {};
  const lacking: LackingScheme[] = [];
  for (const { scheme, check, scopes } of alternative) {
    const verdict = verdicts.get(check);
    if (verdict?.isSatisfied !== true) return verdict ?? { lacking: [{ scheme, scopes }] };
    principals[scheme.name] = verdict.principal;
    if (!hasScopes(verdict.principal, scopes)) lacking.push({ scheme, scopes });
  }
  const [first] = alternative;
  // An alternative without schemes never comes here; if one did, it would be refused.
  if (lacking.length > 0 || first === undefined) return { lacking };
  return { principal: principals[first.scheme.name], principals };
}

function refusalOf(
  refusals: readonly Refusal[],
  demanding: readonly Alternative[],
  req: IncomingMessage,
): ApiError {
  // Valid credentials that lack a scope are reported before the missing ones of another alternative.
  const lacking = refusals.flatMap((refusal) => ('lacking' in refusal ? refusal.lacking : []));
  if (lacking.length > 0) return insufficientScope(lacking);
  const challenges = refusals.map((refusal) => ('challenge' in refusal ? refusal.challenge : ''));
  const isPresent = demanding.flat().some(({ scheme }) => scheme.isPresent(req));
  return unauthorized(isPresent, new Set(challenges));
}

function unauthorized(isPresent: boolean, challenges: ReadonlySet<string>): ApiError {
  const headers = { 'WWW-Authenticate': [...challenges].join(', ') };
  return isPresent
    ? new ApiError(
        EngineCode.badCredentials,
        'the credentials were refused: unknown, expired or revoked',
        headers,
      )
    : new ApiError(
        EngineCode.noCredentials,
        'this operation needs credentials, see WWW-Authenticate',
        headers,
      );
}
