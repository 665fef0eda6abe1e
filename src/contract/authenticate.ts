import passport, { type Strategy } from 'passport';
import { ApiError, EngineCode } from './api-error.js';
import type { ContractDocument, SecurityRequirement } from './document.js';
import { isObject } from './document.js';
import type { Operation } from './operation.js';

/** Who makes a request: what the strategy of the satisfied security scheme said. */
export type Authenticate = (headers: RequestHeaders) => Promise<unknown>;

export interface RequestHeaders {
  readonly authorization?: string | undefined;
}

/** A passport strategy for each security scheme, by the scheme's name in the contract. */
export type Strategies = Readonly<Record<string, Strategy>>;

/** Checks one security scheme; the principal, or the challenges to answer with. */
type CheckScheme = (headers: RequestHeaders) => Promise<SchemeVerdict>;

type SchemeVerdict =
  | { readonly isSatisfied: true; principal: unknown }
  | { readonly isSatisfied: false; challenges: string[] };

/**
 * Builds the authentication of operations from security schemes and their strategies. Fails closed:
 * a scheme without a strategy, or one of a kind that isn't supported, is a problem, and problems stop
 * the boot.
 */
export function createAuthenticator(
  document: ContractDocument,
  strategies: Strategies,
  problems: string[],
): (operation: Operation) => Authenticate {
  const checks = new Map<string, CheckScheme>();
  // An instance of our own, so that nothing registered elsewhere in the process can answer here.
  const authenticator = new passport.Passport();
  for (const [name, unresolved] of Object.entries(
    document.root.components?.securitySchemes ?? {},
  )) {
    const scheme = document.resolve(unresolved);
    const strategy = strategies[name];
    if (!isObject(scheme) || scheme.type !== 'http') {
      problems.push(`security scheme ${name}: only type http is supported yet`);
    } else if (strategy === undefined) {
      problems.push(
        `security scheme ${name}: has no strategy; supply a passport strategy of that name`,
      );
    } else {
      checks.set(name, createCheck(authenticator.use(name, strategy), name, String(scheme.scheme)));
    }
  }
  for (const name of Object.keys(strategies)) {
    if (!checks.has(name))
      problems.push(`strategy ${name}: the contract has no such security scheme`);
  }
  return (operation) => {
    for (const requirement of operation.security) {
      for (const [name, scopes] of Object.entries(requirement)) {
        if (!checks.has(name))
          problems.push(`${operation.operationId}: security scheme ${name} is not defined`);
        if (scopes.length > 0)
          problems.push(`${operation.operationId}: scopes are not supported yet`);
      }
    }
    return createAuthenticate(operation.security, checks);
  };
}

/** One of the alternatives must be satisfied, each by all of its schemes (OpenAPI 3.1 §4.8.30). */
function createAuthenticate(
  alternatives: readonly SecurityRequirement[],
  checks: ReadonlyMap<string, CheckScheme>,
): Authenticate {
  return async (headers) => {
    if (alternatives.length === 0) return undefined;
    const challenges = new Set<string>();
    for (const requirement of alternatives) {
      const verdict = await satisfy(requirement, checks, headers);
      if (verdict.isSatisfied) return verdict.principal;
      for (const challenge of verdict.challenges) challenges.add(challenge);
    }
    throw unauthorized(headers, [...challenges]);
  };
}

async function satisfy(
  requirement: SecurityRequirement,
  checks: ReadonlyMap<string, CheckScheme>,
  headers: RequestHeaders,
): Promise<SchemeVerdict> {
  let principal: unknown;
  for (const name of Object.keys(requirement)) {
    // A scheme that isn't there is refused at boot; were it not, it would be refused here.
    const verdict = await checks.get(name)?.(headers);
    if (verdict?.isSatisfied !== true) return verdict ?? { isSatisfied: false, challenges: [] };
    principal ??= verdict.principal;
  }
  return { isSatisfied: true, principal };
}

function createCheck(
  authenticator: passport.Authenticator,
  name: string,
  scheme: string,
): CheckScheme {
  // By name: given the strategy itself, passport would share one instance between requests.
  const middleware = authenticator.authenticate(name, {
    session: false,
    assignProperty: 'principal',
    authInfo: false,
    failWithError: true,
  }) as (req: object, res: object, next: (error?: unknown) => void) => void;
  // RFC 6750 §3 wants a parameter after the scheme's name, and every scheme has this one.
  const plainChallenge = `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} realm="${name}"`;
  return ({ authorization }) =>
    new Promise((resolve, reject) => {
      // RFC 6750 §2.1 only: with neither body nor query, a token in them can't be found.
      const req: { headers: object; principal?: unknown } = {
        headers: authorization === undefined ? {} : { authorization },
      };
      let challenges: string[] = [];
      const res = {
        statusCode: 0,
        setHeader: (_name: string, values: string[]) => {
          challenges = values;
        },
      };
      middleware(req, res, (error) => {
        if (error === undefined && req.principal !== undefined) {
          resolve({ isSatisfied: true, principal: req.principal });
        } else if (error === undefined || res.statusCode > 0) {
          // A strategy may fail without a challenge; RFC 9110 §15.5.2 wants one in every 401.
          resolve({
            isSatisfied: false,
            challenges: challenges.length > 0 ? challenges : [plainChallenge],
          });
        } else {
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handed on as it is
          reject(error);
        }
      });
    });
}

function unauthorized(headers: RequestHeaders, challenges: readonly string[]): ApiError {
  const challenge = { 'WWW-Authenticate': challenges.join(', ') };
  return headers.authorization === undefined
    ? new ApiError(
        EngineCode.noCredentials,
        'this operation needs credentials, see WWW-Authenticate',
        challenge,
      )
    : new ApiError(
        EngineCode.badCredentials,
        'the credentials were refused: unknown, expired or revoked',
        challenge,
      );
}
