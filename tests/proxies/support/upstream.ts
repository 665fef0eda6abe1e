import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen } from 'contract-testing/generate';

/** What stands behind a proxy instead of the service, to see what arrives, or to fail as no service should. */
export interface Upstream {
  readonly port: number;
  /** The headers of each request but those that ask whether it is ready. */
  readonly requests: IncomingHttpHeaders[];
  /** How many connections those came on. */
  readonly connections: number;
  close(): Promise<void>;
}

/** What becomes of a request. */
export type Behaviour = (res: ServerResponse) => void;

export const answers: Behaviour = (res) => {
  const body = '{"name":"fern"}';
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  res.end(body);
};
export const breaksOff: Behaviour = (res) => {
  res.socket?.resetAndDestroy();
};
export const isSilent: Behaviour = () => undefined;

export async function startUpstream(behave: Behaviour): Promise<Upstream> {
  const requests: IncomingHttpHeaders[] = [];
  const used = new Set<unknown>();
  const server = createServer((req, res) => {
    if (req.url === '/readyz') {
      res.end();
      return;
    }
    requests.push(req.headers);
    used.add(req.socket);
    req.resume().once('end', () => {
      behave(res);
    });
  });
  const { url, close } = await listen(server);
  return {
    port: Number(new URL(url).port),
    requests,
    get connections() {
      return used.size;
    },
    close,
  };
}
