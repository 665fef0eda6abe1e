import type { RateLimiter } from 'contract-server';
import { RateLimiterRes } from 'rate-limiter-flexible';

/** A request that waits to be counted. */
interface Request {
  readonly resolve: (count: RateLimiterRes) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts what a caller requests while a count of its own is under way by one more count, after that one. By
 * themselves, each would be a statement, and all of them would wait for the lock of one row.
 * @param limit how many requests a caller may make
 */
export function shareCounts(limiter: RateLimiter, limit: number): RateLimiter {
  /** The requests that wait for the next count, by caller; a caller without a count under way has no entry. */
  const waiting = new Map<string, Request[]>();

  async function countWaiting(key: string): Promise<void> {
    for (let group = waiting.get(key); group?.length; group = waiting.get(key)) {
      waiting.set(key, []);
      try {
        const { consumedPoints, msBeforeNext } = await countOf(limiter, key, group.length);
        const before = consumedPoints - group.length;
        for (const [index, { resolve, reject }] of group.entries()) {
          const points = before + index + 1;
          const count = new RateLimiterRes(Math.max(limit - points, 0), msBeforeNext, points);
          if (points > limit) reject(count);
          else resolve(count);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    waiting.delete(key);
  }

  return {
    consume: (name) =>
      new Promise((resolve, reject) => {
        const key = String(name);
        const group = waiting.get(key);
        if (group !== undefined) {
          group.push({ resolve, reject });
          return;
        }
        waiting.set(key, [{ resolve, reject }]);
        void countWaiting(key);
      }),
  };
}

/** The count with so many requests more. A limiter rejects with it where that exceeds the limit. */
async function countOf(
  limiter: RateLimiter,
  key: string,
  requests: number,
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, requests);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}
