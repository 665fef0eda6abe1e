import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often connections that have become idle are looked for while the server stops. */
const IDLE_CHECK_MS = 20;

/**
 * Stops listening and waits until every request in flight has been answered.
 * @returns whether all of them were, within the time
 */
export type Drain = (timeoutMs: number) => Promise<boolean>;

/** Makes a server one that can be drained; to be called before it listens. */
export function createDrain(server: Server): Drain {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return (timeoutMs) => drain(server, sockets, timeoutMs);
}

async function drain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  timeoutMs: number,
): Promise<boolean> {
  const idleCheck = setInterval(() => {
    server.closeIdleConnections();
    // To node, a connection on which nothing has been said yet isn't idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
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
