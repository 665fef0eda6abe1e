import type { Server } from 'node:http';

/** How often connections that have become idle are looked for while the server stops. */
const IDLE_CHECK_MS = 20;

/**
 * Stops listening and waits until every request in flight has been answered.
 * @returns whether all of them were, within the time
 */
export async function drain(server: Server, timeoutMs: number): Promise<boolean> {
  const idleCheck = setInterval(() => {
    server.closeIdleConnections();
  }, IDLE_CHECK_MS);
  let timer;
  const isDrained = await Promise.race([
    new Promise<boolean>((resolve) => {
      server.close(() => {
        resolve(true);
      });
    }),
    new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, false);
    }),
  ]);
  clearTimeout(timer);
  clearInterval(idleCheck);
  return isDrained;
}
