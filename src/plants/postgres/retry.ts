import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from './failure.js';

/** How long to wait before trying again; twice as long each time, up to the last. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 500;

/** Tries again what is worth it, in longer and longer pauses, while there is time. */
export async function retry<T>(
  deadline: number,
  work: () => Promise<T>,
  isHopeless: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      // Not all at the same moment: the replicas have lost the same server.
      const jittered = pauseMs * (0.5 + Math.random());
      const isInTime = performance.now() + jittered < deadline;
      if (!isInTime || !isTransient(error) || isHopeless(error)) throw error;
      await pause(jittered);
    }
  }
}
