import { expect, it } from '@jest/globals';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { shareCounts } from '../../../src/plants/postgres/shared-count.js';

const LIMIT = 3;

it('counts what a caller requests meanwhile in one go, and tells each request what is left after it', async () => {
  const limiter = new RateLimiterMemory({ points: LIMIT, duration: 60 });
  const counted: (readonly [number | string, number | undefined])[] = [];
  const consume: RateLimiterMemory['consume'] = (key, points) => {
    counted.push([key, points]);
    return limiter.consume(key, points);
  };
  const shared = shareCounts({ consume }, LIMIT);

  const counts = await Promise.allSettled(
    ['a', 'a', 'b', 'a', 'a', 'a'].map((key) => shared.consume(key)),
  );

  expect(counted).toEqual([
    ['a', 1],
    ['b', 1],
    ['a', 4],
  ]);
  const left = counts.map((count) =>
    count.status === 'fulfilled'
      ? count.value.remainingPoints
      : count.reason instanceof RateLimiterRes,
  );
  expect(left).toEqual([2, 1, 2, 0, true, true]);
});

it('tells each request the error of its count, and counts the next one', async () => {
  const failures = [new Error('the server has gone')];
  const shared = shareCounts(
    {
      consume: () => {
        const failure = failures.pop();
        return failure ? Promise.reject(failure) : Promise.resolve(new RateLimiterRes(2, 1000, 1));
      },
    },
    LIMIT,
  );

  await expect(shared.consume('a')).rejects.toThrow('the server has gone');
  await expect(shared.consume('a')).resolves.toMatchObject({ remainingPoints: 2 });
});
