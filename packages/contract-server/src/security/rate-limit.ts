import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { principalName, type ExchangeLocals } from '../exchange/exchange-locals.js';

/** How many requests a caller may make from its first one on, until the window is over. */
export interface RateLimitPolicy {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** What counts the requests of callers: a limiter of rate-limiter-flexible. */
export type RateLimiter = Pick<RateLimiterAbstract, 'consume'>;

/**
 * Counts a request of an authenticated caller, and says in the response how many are left.
 * @throws ApiError 429
 */
export type LimitRate = (locals: ExchangeLocals, principal: unknown) => Promise<void>;

/**
 * Limits callers, by the names of their principals, and says so in the headers of
 * draft-ietf-httpapi-ratelimit-headers-10. Whoever calls an operation that needs no credentials isn't
 * limited, since nobody is known there.
 * @param limiter of that policy; in the memory of this process where it is left out
 */
export function createRateLimit(
  { requests, windowSeconds }: RateLimitPolicy,
  limiter: RateLimiter = new RateLimiterMemory({ points: requests, duration: windowSeconds }),
): LimitRate {
  const policy = ['RateLimit-Policy', `"default";q=${requests};w=${windowSeconds}`];

  return async (locals, principal) => {
    if (principal === undefined) return;
    const { isExceeded, count } = await consume(limiter, keyOf(principal));
    const resetSeconds = Math.ceil(count.msBeforeNext / 1000);
    locals.responseHeaders = [
      ...(locals.responseHeaders ?? []),
      ...policy,
      ...['RateLimit', `"default";r=${count.remainingPoints};t=${resetSeconds}`],
    ];
    if (isExceeded) throw tooMany(requests, windowSeconds, resetSeconds);
  };
}

interface Consumed {
  readonly isExceeded: boolean;
  readonly count: RateLimiterRes;
}

/** A limiter rejects with the count where that is exceeded, and with an error where it can't count. */
async function consume(limiter: RateLimiter, key: string): Promise<Consumed> {
  try {
    return { isExceeded: false, count: await limiter.consume(key) };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { isExceeded: true, count: error };
    throw error;
  }
}

function keyOf(principal: unknown): string {
  const name = typeof principal === 'string' ? principal : principalName(principal);
  if (typeof name === 'string') return name;
  throw new TypeError('a rate limit needs principals that have a name');
}

function tooMany(requests: number, windowSeconds: number, resetSeconds: number): ApiError {
  return new ApiError(
    EngineCode.rateLimited,
    `more than the ${requests} requests allowed in ${windowSeconds} s; nothing was changed`,
    { 'Retry-After': String(Math.max(resetSeconds, 1)) },
  );
}
