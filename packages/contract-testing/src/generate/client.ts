import { Agent, request as openRequest } from 'node:http';
import type { TestRequest, TestResponse } from './request.js';

/** Where a server has closed a connection that was kept alive, the request is sent again. */
const MAX_TRIES = 3;
const TIMEOUT_MS = 10_000;

export interface Client {
  readonly url: string;
  /** @param label sent as `X-Case`, so that a handler can say which request it got */
  readonly send: (request: TestRequest, label?: string) => Promise<TestResponse>;
  readonly close: () => void;
}

/** Sends requests to the byte over connections that are kept. */
export function openClient(url: string): Client {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);

  function sendOnce(request: TestRequest, label: string | undefined): Promise<TestResponse> {
    const { method, target, headers, body } = request;
    return new Promise((resolve, reject) => {
      const req = openRequest({ agent, hostname, port, method, path: target, timeout: TIMEOUT_MS });
      const values = new Map<string, string[]>();
      for (const [name, value] of headers) values.set(name, [...(values.get(name) ?? []), value]);
      for (const [name, [first = '', ...others]] of values) {
        req.setHeader(name, others.length === 0 ? first : [first, ...others]);
      }
      if (label !== undefined) req.setHeader('X-Case', label);
      if (body !== undefined) req.setHeader('Content-Length', body.length);
      req.on('timeout', () => req.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
      req.on('error', (error) => {
        reject(Object.assign(error, { isRetriable: req.reusedSocket }));
      });
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const received = Object.entries(res.headers).map(([name, value]) => [
            name,
            String(value),
          ]);
          resolve({
            status: res.statusCode ?? 0,
            headers: Object.fromEntries(received) as Record<string, string>,
            text,
          });
        });
      });
      req.end(body);
    });
  }

  return {
    url,
    async send(request, label) {
      for (let tries = 1; ; tries++) {
        try {
          return await sendOnce(request, label);
        } catch (error) {
          const isRetriable = (error as { isRetriable?: boolean }).isRetriable === true;
          if (!isRetriable || tries === MAX_TRIES) throw error;
        }
      }
    },
    close() {
      agent.destroy();
    },
  };
}
