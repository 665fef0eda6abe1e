import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

export interface NaiveProxy {
  readonly url: string;
  close(): void;
}

/**
 * A proxy as none should be: it takes whatever it reads for one request, and sends it on the one connection
 * to the service that all clients share. Whatever answer comes next is the answer to it.
 */
export async function startNaiveProxy(port: number): Promise<NaiveProxy> {
  const service = connect(port, '127.0.0.1');
  const answers: string[] = [];
  service.on('data', (bytes) => answers.push(...bytes.toString('latin1').split(/(?=HTTP\/1\.1 )/)));
  let last = Promise.resolve();
  const server = createServer((client) => {
    client.on('error', () => undefined);
    client.on('data', (request) => {
      last = last.then(async () => {
        service.write(request);
        if (answers.length === 0) await once(service, 'data');
        client.write(answers.shift() ?? '');
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    url: `http://127.0.0.1:${own}`,
    close() {
      server.close();
      service.destroy();
    },
  };
}
