/**
 * Passes on what comes on a port to a Unix socket, and back, each part so many milliseconds later: a
 * network on a machine whose kernel has no `netem`. Says the port on standard output.
 */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

const [socketPath = '', delayMs = '0'] = process.argv.slice(2);

/** Timers of one length end in the order in which they began. */
function pass(from: Socket, to: Socket): void {
  from.setNoDelay();
  from.on('data', (part) => setTimeout(() => to.write(part), Number(delayMs)));
  from.on('close', () => setTimeout(() => to.destroy(), Number(delayMs)));
  from.on('error', () => to.destroy());
}

const server = createServer((client) => {
  const upstream = createConnection(socketPath);
  pass(client, upstream);
  pass(upstream, client);
});
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port); // it listens on a port, not a pipe
});
