import { connect as openSocket } from 'node:net';
import { connect as openTlsSocket } from 'node:tls';
import type { Check } from './check.js';
import { readRequests } from './sent-requests.js';

/** A response as it came over the wire. */
export interface RawResponse {
  readonly httpVersion: string;
  readonly status: number;
  /** By lower-case name; the values of a repeated header with `, ` between. */
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** A connection on which the client may say anything, also what no HTTP library would send. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void;
  /**
   * The next response, interim ones (1xx) included.
   * @throws ContractViolation where `check` finds it isn't what the contract says
   */
  response(): Promise<RawResponse>;
  /** Resolves once the server has closed the connection; with an error code where it was reset. */
  closed(): Promise<string | undefined>;
  /** Says that nothing more will be sent, and still reads. */
  end(): void;
  /** Breaks the connection, as a client that crashes does. */
  reset(): void;
  destroy(): void;
}

export interface RawConnectionOptions {
  /** Keeps the client's side open after the server has closed its own. */
  readonly allowHalfOpen?: boolean;
  /** The PEM of the authority that the server's certificate is of, where the URL is one of https. */
  readonly ca?: string | undefined;
  /** Judges every exchange; without it nobody does. */
  readonly check?: Check | undefined;
}

const DEADLINE_MS = 8000;

/** Connects to the host and port of a service's URL. */
export async function connect(
  url: string,
  { allowHalfOpen = false, ca, check }: RawConnectionOptions = {},
): Promise<RawConnection> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'https:';
  const address = { host: hostname, port: Number(port), allowHalfOpen };
  const socket = isTls ? openTlsSocket({ ...address, ca }) : openSocket(address);
  const sent: Buffer[] = [];
  const responses: RawResponse[] = [];
  const listeners = new Set<() => void>();
  let unread = Buffer.alloc(0);
  let taken = 0;
  let answered = 0;
  let isClosed = false;
  let errorCode: string | undefined;

  function read(): void {
    for (;;) {
      const next = readResponse(unread);
      if (next === undefined) break;
      responses.push(next.response);
      unread = unread.subarray(next.length);
    }
    for (const listener of listeners) listener();
  }

  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    read();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => (errorCode = error.code ?? error.message));
  socket.on('close', () => {
    isClosed = true;
    read();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', resolve).once('error', reject);
  });

  function waitFor<Value>(what: string, ask: () => Value | undefined): Promise<Value> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        settle();
        reject(new Error(`${why} before ${what}; unread: ${JSON.stringify(String(unread))}`));
      };
      const timer = setTimeout(() => {
        fail(`${DEADLINE_MS} ms passed`);
      }, DEADLINE_MS);
      const settle = (): void => {
        clearTimeout(timer);
        listeners.delete(look);
      };
      const look = (): void => {
        const value = ask();
        if (value !== undefined) {
          settle();
          resolve(value);
        } else if (isClosed) {
          fail(`the connection was closed (${errorCode ?? 'no error'})`);
        }
      };
      listeners.add(look);
      look();
    });
  }

  function judge({ status, headers, text }: RawResponse, index: number): void {
    const request = readRequests(Buffer.concat(sent))[index];
    check?.({
      method: request?.method ?? '',
      target: request?.target ?? '',
      requestHeaders: request?.headers ?? {},
      requestBody: request?.body,
      status,
      headers,
      text,
    });
  }

  return {
    send: (bytes) => {
      sent.push(Buffer.from(bytes));
      socket.write(bytes);
    },
    response: async () => {
      const index = taken++;
      const response = await waitFor(`response ${index + 1}`, () => responses[index]);
      if (check !== undefined && response.status >= 200) judge(response, answered++);
      return response;
    },
    closed: async () => {
      await waitFor('the end of the connection', () => (isClosed ? true : undefined));
      return errorCode;
    },
    end: () => socket.end(),
    reset: () => socket.resetAndDestroy(),
    destroy: () => socket.destroy(),
  };
}

/** Sends bytes on a connection of their own, and reads until the server closes it. */
export async function exchange(
  url: string,
  bytes: string | Uint8Array,
  options?: RawConnectionOptions,
): Promise<RawResponse> {
  const connection = await connect(url, options);
  try {
    connection.send(bytes);
    return await connection.response();
  } finally {
    connection.destroy();
  }
}

/** The bytes of a request; its body gets a Content-Length unless the headers frame it. */
export function rawRequest(
  requestLine: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const isFramed = 'Content-Length' in headers || 'Transfer-Encoding' in headers;
  const framing = body === '' || isFramed ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: 'example.com', ...headers, ...framing }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [requestLine, ...lines, '', body].join('\r\n');
}

/** The first response in `bytes` and how long it is; undefined where it isn't all there yet. */
function readResponse(bytes: Buffer): { response: RawResponse; length: number } | undefined {
  const headLength = bytes.indexOf('\r\n\r\n');
  if (headLength === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headLength).split('\r\n');
  const [, httpVersion, code] = /^HTTP\/(\d\.\d) (\d{3}) /.exec(statusLine) ?? [];
  if (httpVersion === undefined) throw new Error(`not a status line: ${statusLine}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    const earlier = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  // Everything that the service says has a Content-Length, or no body at all.
  if (headers['transfer-encoding'] !== undefined) throw new Error('a response came in chunks');
  const bodyStart = headLength + 4;
  const length = bodyStart + Number(headers['content-length'] ?? 0);
  if (bytes.length < length) return undefined;
  const text = bytes.toString('utf8', bodyStart, length);
  return { response: { httpVersion, status: Number(code), headers, text }, length };
}
