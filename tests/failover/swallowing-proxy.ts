import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut without either end being told, as a network is. */
export interface SwallowingProxy {
  readonly port: number;
  /** From now on nothing passes; connections stay, and new ones are taken and lead nowhere. */
  cut(): void;
  /** Ends what was cut, so that both ends connect again. */
  restore(): void;
  close(): void;
}

export async function startSwallowingProxy(targetPort: number): Promise<SwallowingProxy> {
  const sockets = new Set<Socket>();
  const state = { isCut: false };

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  }

  const server = createServer((client) => {
    keep(client);
    if (state.isCut) return;
    const upstream = connect(targetPort, '127.0.0.1');
    keep(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.pipe(to);
      from.once('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe

  function restore(): void {
    state.isCut = false;
    for (const socket of sockets) socket.destroy();
  }

  return {
    port,
    cut() {
      state.isCut = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    restore,
    close() {
      restore();
      server.close();
    },
  };
}
