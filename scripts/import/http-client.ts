import http from 'node:http';
import https from 'node:https';

/** No answer came: refused, broken or silent for too long. The code is the system's, as ECONNRESET. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(readonly code: string) {
    super(`no answer from the service: ${code}`);
  }
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

export interface HttpClient {
  /**
   * Sends a body of JSON.
   * @throws ConnectionError where no whole answer comes
   */
  readonly post: (json: string) => Promise<Answer>;
  /** Ends the connections. */
  readonly close: () => void;
}

/**
 * Sends to one URL through node:http, on connections that are kept. It follows no redirect, so that
 * the token goes nowhere else. The global fetch does the same for two to three times the CPU time
 * per row, which is then what limits the import.
 */
export function createHttpClient(
  url: string,
  token: string,
  { connections, timeoutMs }: { readonly connections: number; readonly timeoutMs: number },
): HttpClient {
  const { Agent, request } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const options = { method: 'POST', agent, timeout: timeoutMs, headers };

  return {
    post: (json) =>
      new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException): void => {
          reject(new ConnectionError(error.code ?? error.name));
        };
        const outgoing = request(url, options, (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (part: string) => (text += part));
          incoming.once('error', fail);
          incoming.once('end', () => {
            const { statusCode: status = 0, headers } = incoming;
            resolve({ status, retryAfter: headers['retry-after'], text });
          });
        });
        outgoing.once('error', fail);
        outgoing.once('timeout', () => {
          outgoing.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
        });
        outgoing.end(json);
      }),
    close() {
      agent.destroy();
    },
  };
}
