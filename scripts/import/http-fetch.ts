import http from 'node:http';
import https from 'node:https';

/** No answer came: refused, broken or silent for too long. The code is the system's, as ECONNRESET. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(readonly code: string) {
    super(`no answer from the service: ${code}`);
  }
}

/** What openapi-fetch needs to send, and the connections to do it with. */
export interface HttpFetch {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly Request: typeof Request;
  /** Ends the connections. */
  readonly close: () => void;
}

/** Keeps the body as the text it was: read back from a `Request`, it would come through streams. */
class TextRequest extends Request {
  override readonly text: () => Promise<string>;

  constructor(input: string | URL | Request, { body, ...init }: RequestInit = {}) {
    super(input, init);
    this.text = () => Promise.resolve(typeof body === 'string' ? body : '');
  }
}

/**
 * Sends through node:http, on connections that are kept. It follows no redirect, so that the token
 * goes nowhere else. The global fetch does the same for two to three times the CPU time per row,
 * which is then what limits the import.
 */
export function createHttpFetch(url: string, connections: number, timeoutMs: number): HttpFetch {
  const { Agent, request } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function send({ url, method, headers }: Request, body: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        reject(new ConnectionError(error.code ?? error.name));
      };
      const options = { method, agent, timeout: timeoutMs, headers: Object.fromEntries(headers) };
      const outgoing = request(url, options, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (part: string) => (text += part));
        incoming.once('error', fail);
        incoming.once('end', () => {
          resolve(toResponse(incoming, text));
        });
      });
      outgoing.once('error', fail);
      outgoing.once('timeout', () => {
        outgoing.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
      });
      outgoing.end(body);
    });
  }

  return {
    fetch: async (request) => send(request, await request.text()),
    Request: TextRequest,
    close() {
      agent.destroy();
    },
  };
}

function toResponse({ statusCode = 0, headers }: http.IncomingMessage, text: string): Response {
  const retryAfter = headers['retry-after'];
  return new Response(text === '' ? null : text, {
    status: statusCode,
    ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
  });
}
