import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openClient, type Client } from './client.js';

/** A server that listens on a free port of this machine, and a client of it. */
export interface Served {
  readonly url: string;
  readonly client: Client;
  readonly close: () => Promise<void>;
}

export async function listen(server: Server): Promise<Served> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  const url = `http://127.0.0.1:${port}`;
  const client = openClient(url);
  return {
    url,
    client,
    async close() {
      client.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
