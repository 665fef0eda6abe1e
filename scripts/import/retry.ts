import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './client.js';

export interface RetryPolicy {
  /** How often to try at most, the first time included. */
  readonly tries: number;
  /** Once aborted, there is neither another try nor any more waiting. */
  readonly signal: AbortSignal;
  /** Told of every try that will be repeated. */
  readonly onRetry: (message: string) => void;
  readonly random?: () => number;
  /** Resolves with false, and early, where the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<boolean>;
}

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 10_000;
/** Who asks for more than this is told, by giving up, that nobody can wait so long. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Tries until the service takes or refuses the row; the last outcome where it never does. Only safe
 * because a repeated create changes nothing.
 */
export async function withRetries(
  attempt: () => Promise<Outcome>,
  { tries, signal, onRetry, random = Math.random, wait = waitUnlessAborted }: RetryPolicy,
): Promise<Outcome> {
  for (let count = 1; ; count++) {
    const outcome = await attempt();
    if (outcome.kind !== 'unavailable' || count >= tries || signal.aborted) return outcome;
    if (outcome.retryAfterMs > MAX_RETRY_AFTER_MS) return outcome;
    onRetry(outcome.message);
    // On top of what the service asked for, so that those it sent away don't all come back at once.
    const isDue = await wait(outcome.retryAfterMs + backOffMs(count, random), signal);
    if (!isDue) return outcome;
  }
}

/** Twice as long each time, up to a limit, half of it by chance. */
function backOffMs(count: number, random: () => number): number {
  const limit = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1));
  return (limit * (1 + random())) / 2;
}

async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await sleep(ms, true, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  }
}
