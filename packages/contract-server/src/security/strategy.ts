import type { IncomingMessage } from 'node:http';
import type { Strategy } from 'passport';
import type { SecurityScheme, StrategyRequest } from './security-scheme.js';

/** A passport strategy for each security scheme, by the scheme's name in the contract. */
export type Strategies = Readonly<Record<string, Strategy>>;

/** What a strategy says of a request: who makes it, or the challenge to answer with. */
export type Verdict =
  | { readonly isSatisfied: true; readonly principal: unknown }
  | { readonly isSatisfied: false; readonly challenge: string };

/** Rejects where the strategy has an error, rather than refuses. */
export type CheckScheme = (req: IncomingMessage) => Promise<Verdict>;

/** What a strategy calls, once, to say what it has found: the contract of passport-strategy. */
interface Actions {
  success(user: unknown): void;
  fail(challenge?: unknown, status?: number): void;
  error(error: unknown): void;
  pass(): void;
  redirect(url: string): void;
}

/** A strategy as it is run: an object made from it for one request, which has the actions. */
interface RunningStrategy extends Actions {
  authenticate(req: StrategyRequest, options: object): unknown;
}

/**
 * Has a passport strategy check the credentials of its security scheme. Only `success` with a principal
 * satisfies it; `fail`, `pass`, `redirect` and `success` without one refuse. What the strategy calls
 * after its first action changes nothing. A strategy that calls none leaves its request waiting.
 */
export function createSchemeCheck(scheme: SecurityScheme, strategy: Strategy): CheckScheme {
  const refused: Verdict = { isSatisfied: false, challenge: scheme.challenge };

  return (req) =>
    new Promise((resolve, reject) => {
      const credentials = scheme.readCredentials(req);
      if (credentials === undefined) {
        resolve(refused);
        return;
      }
      const refuse = (): void => {
        resolve(refused);
      };
      const actions: Actions = {
        success(principal) {
          resolve(isSomebody(principal) ? { isSatisfied: true, principal } : refused);
        },
        fail(challenge) {
          resolve(isChallenge(challenge, scheme) ? { isSatisfied: false, challenge } : refused);
        },
        error: reject,
        pass: refuse,
        redirect: refuse,
      };
      // Passport makes such an object, too, so that a strategy keeps nothing of a request in itself.
      const running = Object.assign(Object.create(strategy) as RunningStrategy, actions);
      const returned = running.authenticate(credentials, {});
      // Passport awaits no strategy: what an async one throws would end the process.
      if (returned instanceof Promise) returned.catch(reject);
    });
}

const PRINTABLE = /^[\t\x20-\x7e]+$/;
/** RFC 9110 §11.3: a scheme and its first parameter. */
const SCHEME_AND_PARAMETER = /^[\w!#$%&'*+.^`|~-]+ +[\w!#$%&'*+.^`|~-]+[ \t]*=/;

/** Many strategies fail with a mere message, which must not stand in `WWW-Authenticate`. */
function isChallenge(challenge: unknown, { httpScheme }: SecurityScheme): challenge is string {
  if (typeof challenge !== 'string' || !PRINTABLE.test(challenge)) return false;
  const [first = ''] = challenge.split(' ', 1);
  return first.toLowerCase() === httpScheme || SCHEME_AND_PARAMETER.test(challenge);
}

function isSomebody(principal: unknown): boolean {
  return principal !== undefined && principal !== null && principal !== false;
}
