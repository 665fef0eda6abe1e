import { setTimeout as pause } from 'node:timers/promises';

const ASK_EVERY_MS = 10;

/**
 * Asks again and again until there is an answer.
 * @throws Error where there is none in time
 */
export async function eventually<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  withinMs = 5000,
): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${ask.toString()}`);
    await pause(ASK_EVERY_MS);
  }
}
