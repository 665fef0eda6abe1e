import {
  createServer,
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  type Server,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { ApiError, EngineCode } from '../contract/index.js';

export interface HttpServerOptions {
  readonly requestTimeoutMs: number;
  readonly errorBody: (error: ApiError) => unknown;
}

/** Longer than the proxies in front keep idle connections, so that it is they who close them. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;
/** How long a refused client may go on sending: a reset could overtake what it is told. */
const LINGER_MS = 1000;

/**
 * An HTTP server for an express app; it doesn't listen yet.
 *
 * Express gives every request and every response its own prototypes, and V8 gives up optimizing
 * objects whose prototype changes. Here they are born with the prototypes that express would set, so
 * that nothing changes; the whole service runs several times faster for it.
 */
export function createHttpServer(
  app: Express,
  { requestTimeoutMs, errorBody }: HttpServerOptions,
): Server {
  const server = createServer({
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype<typeof ServerResponse>(ServerResponse, app.response),
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeoutMs,
    // The contract engine times the body and answers in the contract's shape. This is the net below
    // it, for bodies that nobody reads.
    requestTimeout: 2 * requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 2),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node would answer without a body; `isFaulty` has it answered in the contract's shape.
    requireHostHeader: false,
  });
  const lastResponses = new WeakMap<Socket, ServerResponse>();

  function serve(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    // It has been refused, and goes on all the same.
    if (!socket.writable) return;
    lastResponses.set(socket, res);
    if (isFaulty(req)) {
      const { status, headers, body } = toResponse(malformed());
      res.writeHead(status, headers).end(body);
      return;
    }
    // RFC 9110 §10.1.1: from a client of HTTP/1.0 it is to be ignored.
    if (req.httpVersionMinor === 0) delete req.headers.expect;
    app(req, res);
  }

  function toResponse(error: ApiError) {
    const body = JSON.stringify(errorBody(error));
    const headers = {
      Connection: 'close',
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    return { status: error.status, headers, body };
  }

  /** Answers beside node, where there is no request, or none that node would let be answered. */
  function refuse(socket: Duplex, error: ApiError): void {
    if (!socket.writable) return;
    const { status, headers, body } = toResponse(error);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`;
    socket.end([statusLine, ...lines, '', body].join('\r\n'));
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  }

  server.on('request', serve);
  // Without these listeners node would say 100 or 417 itself, before anybody has looked at the request.
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  // And here it would hang up.
  server.on('connect', (_req, socket) => {
    refuse(socket, new ApiError(EngineCode.badTarget, 'the request target must be a path'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const refusal = connectionError(error, requestTimeoutMs);
    if (refusal === undefined) {
      socket.destroy();
      return;
    }
    const last = lastResponses.get(socket);
    if (last === undefined || (last.req.complete && last.writableFinished)) {
      refuse(socket, refusal);
    } else if (last.req.complete) {
      // It is what follows this request that is wrong: its own answer goes first.
      last.once('close', () => {
        if (lastResponses.get(socket) === last) refuse(socket, refusal);
      });
    } else if (last.headersSent || last.socket === null) {
      // It has its answer, or waits behind another one, for whose answer this must not be taken.
      socket.destroySoon();
    } else {
      refuse(socket, refusal);
    }
  });
  return server;
}

/** A subclass whose instances have exactly this prototype. */
function withPrototype<Class extends new (...args: never[]) => object>(
  base: Class,
  prototype: object,
): Class {
  function Subclass(...args: ConstructorParameters<Class>): object {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- construct returns an instance of Class
    return Reflect.construct(base, args, Subclass);
  }
  Subclass.prototype = prototype;
  return Subclass as unknown as Class; // a function with a prototype is what node calls with new
}

/** What node's parser lets pass and RFC 9112 §2.3, §3.2 and §6.1 don't, or not without more than we do. */
function isFaulty({ httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true;
  if (httpVersionMinor === 1 && headers.host === undefined) return true;
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0);
}

/**
 * What node's HTTP parser refused: there is no request yet that could reach the contract engine.
 * Undefined where it is the connection that broke.
 */
function connectionError(
  { code = '' }: NodeJS.ErrnoException,
  requestTimeoutMs: number,
): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError(
      EngineCode.timeout,
      `the request did not arrive within ${requestTimeoutMs} ms`,
    );
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError(
      EngineCode.headersTooLarge,
      `the header section is larger than the ${MAX_HEADER_BYTES} bytes allowed`,
    );
  }
  return code.startsWith('HPE_') ? malformed() : undefined;
}

function malformed(): ApiError {
  return new ApiError(EngineCode.malformedHttp, 'the request is not well-formed HTTP/1.1');
}
