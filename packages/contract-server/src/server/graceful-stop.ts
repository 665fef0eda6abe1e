import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How often connections that have become idle are looked for while the server stops. */
const IDLE_CHECK_MS = 20;
/** A client that has connected says something within this time, or isn't waited for. */
const MAX_SILENCE_MS = 200;
/** After so many turns of the event loop that were short and had no new connection, none waits to be accepted. */
const QUIET_TURNS = 3;
const QUIET_TURN_MS = 0.2;
/** Connections may come faster than they are accepted. */
const MAX_ACCEPT_MS = 200;

/**
 * Stops listening and waits until every request in flight has been answered.
 * @returns whether all of them were, within the time
 */
export type Drain = (timeoutMs: number) => Promise<boolean>;

/**
 * Makes a server one that can be drained; to be called before it listens.
 * @param hold called with true before the last connections are accepted, and with false afterwards:
 * requests that aren't served meanwhile let the event loop turn quickly, and make no new ones come
 */
export function createDrain(
  server: Server,
  hold: (isHeld: boolean) => void = () => undefined,
): Drain {
  const acceptedAt = new Map<Socket, number>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted++;
    acceptedAt.set(socket, performance.now());
    socket.once('close', () => acceptedAt.delete(socket));
  });

  /** The system resets the connections that it has accepted and we haven't when we stop listening. */
  async function acceptWaiting(): Promise<void> {
    const startedAt = performance.now();
    let turnAt = startedAt;
    let quietTurns = 0;
    while (quietTurns < QUIET_TURNS && turnAt - startedAt < MAX_ACCEPT_MS) {
      const before = accepted;
      await nextTurn();
      const now = performance.now();
      // What comes while a turn lasts is accepted in the next one.
      const isQuiet = accepted === before && now - turnAt < QUIET_TURN_MS;
      quietTurns = isQuiet ? quietTurns + 1 : 0;
      turnAt = now;
    }
  }

  function closeIdle(): void {
    server.closeIdleConnections();
    // To node, a connection on which nothing has been said yet isn't idle.
    const silentSince = performance.now() - MAX_SILENCE_MS;
    for (const [socket, at] of acceptedAt) {
      if (socket.bytesRead === 0 && at < silentSince) socket.destroy();
    }
  }

  return async (timeoutMs) => {
    hold(true);
    await acceptWaiting();
    const closed = new Promise<boolean>((resolve) => {
      server.close(() => {
        resolve(true);
      });
    });
    hold(false);
    const idleCheck = setInterval(closeIdle, IDLE_CHECK_MS);
    let timer;
    const isDrained = await Promise.race([
      closed,
      new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, timeoutMs, false);
      }),
    ]);
    clearTimeout(timer);
    clearInterval(idleCheck);
    return isDrained;
  };
}
