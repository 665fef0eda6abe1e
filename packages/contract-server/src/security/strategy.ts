import type { IncomingMessage } from 'node:http';
import passport, { type Strategy } from 'passport';
import type { SecurityScheme, StrategyRequest } from './security-scheme.js';

/** A passport strategy for each security scheme, by the scheme's name in the contract. */
export type Strategies = Readonly<Record<string, Strategy>>;

/** What became of one security scheme: who it is, or the challenge to answer with. */
export type Verdict =
  | { readonly isSatisfied: true; readonly principal: unknown }
  | { readonly isSatisfied: false; readonly challenge: string };

/** Gives its verdict at once where the strategy does. Rejects where it failed, rather than refused. */
export type CheckScheme = (req: IncomingMessage) => Verdict | Promise<Verdict>;

type PassportMiddleware = (
  req: StrategyRequest,
  res: StrategyResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Has a passport strategy check the credentials of its scheme. Whatever it does but say who it is
 * refuses: it fails, passes, redirects, or succeeds with nobody. A strategy that never calls back
 * leaves its request waiting.
 */
export function createSchemeCheck(scheme: SecurityScheme, strategy: Strategy): CheckScheme {
  const refused: Verdict = { isSatisfied: false, challenge: scheme.challenge };
  // An instance of our own, so that nothing registered elsewhere in the process can answer here.
  // By name: given the strategy itself, passport would share one instance between requests.
  const middleware = new passport.Passport()
    .use('scheme', withRejections(strategy))
    .authenticate('scheme', {
      session: false,
      assignProperty: 'principal',
      authInfo: false,
      failWithError: true,
    }) as PassportMiddleware; // it uses no more of a request and a response than these have

  return (req) => {
    const credentials = scheme.readCredentials(req);
    if (credentials === undefined) return refused;
    let outcome: Verdict | Promise<Verdict> | undefined;
    let resolve: ((first: Verdict | Promise<Verdict>) => void) | undefined;
    function settle(found: Verdict | Promise<Verdict>): void {
      outcome ??= found;
      resolve?.(outcome);
    }
    const res = new StrategyResponse(() => {
      settle(refused);
    });
    middleware(credentials, res, (error) => {
      const { principal } = credentials;
      // What comes after the first outcome changes nothing.
      if (outcome !== undefined) return;
      if (error !== undefined && res.statusCode === 0) {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handed on as it is
        settle(Promise.reject(error));
      } else if (error === undefined && isSomebody(principal)) {
        settle({ isSatisfied: true, principal });
      } else {
        const challenge = res.challengeOf(scheme);
        settle(challenge === undefined ? refused : { isSatisfied: false, challenge });
      }
    });
    // Most strategies have called back by now.
    if (outcome !== undefined) return outcome;
    return new Promise((resolveFirst) => {
      resolve = resolveFirst;
    });
  };
}

/** What passport does to a response when a strategy doesn't succeed. */
class StrategyResponse {
  /** Set where the strategy failed, or redirects; never where it had an error. */
  statusCode = 0;
  #challenge: unknown;

  /** @param end called where the strategy redirects, which no client of an API could follow */
  constructor(readonly end: () => void) {}

  setHeader(name: string, value: unknown): void {
    if (name === 'WWW-Authenticate' && Array.isArray(value)) [this.#challenge] = value as unknown[];
  }

  /** The strategy's challenge, unless it is but a message, as many strategies fail with. */
  challengeOf({ httpScheme }: SecurityScheme): string | undefined {
    const challenge = this.#challenge;
    if (typeof challenge !== 'string' || !PRINTABLE.test(challenge)) return undefined;
    const [first = ''] = challenge.split(' ', 1);
    const isChallenge = first.toLowerCase() === httpScheme || CHALLENGE.test(challenge);
    return isChallenge ? challenge : undefined;
  }
}

const PRINTABLE = /^[\t\x20-\x7e]+$/;
/** RFC 9110 §11.3: a scheme and its first parameter. */
const CHALLENGE = /^[\w!#$%&'*+.^`|~-]+ +[\w!#$%&'*+.^`|~-]+[ \t]*=/;

function isSomebody(principal: unknown): boolean {
  return principal !== undefined && principal !== null && principal !== false;
}

/** Passport awaits no strategy: what an async one throws would go unhandled, and end the process. */
function withRejections(strategy: Strategy): Strategy {
  const authenticate: Strategy['authenticate'] = function (req, options) {
    let returned: unknown;
    try {
      returned = strategy.authenticate.call(this, req, options);
    } catch (error) {
      this.error(error);
      return;
    }
    if (returned instanceof Promise) returned.catch(this.error);
  };
  // Passport makes one more object of this for each request, which inherits the strategy's members.
  return Object.create(strategy, { authenticate: { value: authenticate } }) as Strategy;
}
