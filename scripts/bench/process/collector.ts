import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that metrics and traces can be sent to. */
export interface Collector {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts one that says yes to all and keeps nothing: what it costs to send is to be measured, not to receive. */
export async function startCollector(): Promise<Collector> {
  const server = createServer((req, res) => {
    req.resume().once('end', () => res.writeHead(200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
