import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../../scripts/import/client.js';
import { withRetries } from '../../../scripts/import/retry.js';

const ACCEPTED: Outcome = { kind: 'accepted' };
const REFUSED: Outcome = { kind: 'refused', code: 40901, message: 'taken' };
const FAILED: Outcome = { kind: 'failed', code: 50001, message: 'a fault' };

function unavailable(retryAfterMs = 0): Outcome {
  return { kind: 'unavailable', code: 50302, message: 'not now', retryAfterMs };
}

/** Tries with these outcomes, the last of them for ever, and without ever waiting. */
async function tryWith(outcomes: Outcome[], { tries = 20, random = 1, isStopped = false } = {}) {
  const waits: number[] = [];
  let sent = 0;
  const outcome = await withRetries(
    () => Promise.resolve(outcomes[sent++] ?? outcomes.at(-1) ?? ACCEPTED),
    {
      tries,
      signal: AbortSignal.any([]),
      onRetry: () => undefined,
      random: () => random,
      wait: (ms) => Promise.resolve(waits.push(ms) > 0 && !isStopped),
    },
  );
  return { outcome, sent, waits };
}

describe('withRetries', () => {
  it.each([ACCEPTED, REFUSED, FAILED])('takes %j for an answer', async (answer) => {
    expect(await tryWith([answer])).toEqual({ outcome: answer, sent: 1, waits: [] });
  });

  it('waits twice as long each time, up to ten seconds', async () => {
    const { outcome, waits } = await tryWith([...Array<Outcome>(9).fill(unavailable()), ACCEPTED]);

    expect(outcome).toEqual(ACCEPTED);
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  });

  it('leaves half of each wait to chance', async () => {
    const { waits } = await tryWith([unavailable(), unavailable(), ACCEPTED], { random: 0 });

    expect(waits).toEqual([50, 100]);
  });

  it('waits at least as long as the service asks', async () => {
    const { waits } = await tryWith([unavailable(7000), ACCEPTED], { random: 0 });

    expect(waits).toEqual([7050]);
  });

  it('does not wait where the service asks for more than two minutes', async () => {
    const { sent, waits } = await tryWith([unavailable(120_001)]);

    expect({ sent, waits }).toEqual({ sent: 1, waits: [] });
  });

  it('tries no more often than it may', async () => {
    const { outcome, sent } = await tryWith([unavailable()], { tries: 3 });

    expect({ outcome, sent }).toEqual({ outcome: unavailable(), sent: 3 });
  });

  it('does not try again once the import is stopping', async () => {
    const { outcome, sent } = await tryWith([unavailable()], { isStopped: true });

    expect({ outcome, sent }).toEqual({ outcome: unavailable(), sent: 1 });
  });
});
