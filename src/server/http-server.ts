import { createServer, IncomingMessage, ServerResponse, STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { ApiError, EngineCode } from '../contract/index.js';

export interface HttpServerOptions {
  readonly requestTimeoutMs: number;
  readonly errorBody: (error: ApiError) => unknown;
}

/** Longer than the proxies in front keep idle connections, so that it is they who close them. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;

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
  const server = createServer(
    {
      IncomingMessage: withPrototype(IncomingMessage, app.request),
      ServerResponse: withPrototype<typeof ServerResponse>(ServerResponse, app.response),
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: requestTimeoutMs,
      // The contract engine times the body and answers in the contract's shape. This is the net below
      // it, for bodies that nobody reads.
      requestTimeout: 2 * requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 2),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    app,
  );
  // Without these listeners node would say 100 or 417 itself, before anybody has looked at the request.
  server.on('checkContinue', app);
  server.on('checkExpectation', app);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(rawResponse(connectionError(error, requestTimeoutMs), errorBody));
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

/** What node's HTTP parser refused: there is no request yet that could reach the contract engine. */
function connectionError({ code }: NodeJS.ErrnoException, requestTimeoutMs: number): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(EngineCode.timeout, `the request did not arrive within ${requestTimeoutMs} ms`);
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        EngineCode.headersTooLarge,
        `the header section is larger than the ${MAX_HEADER_BYTES} bytes allowed`,
      );
    default:
      return new ApiError(EngineCode.malformedHttp, 'the request is not well-formed HTTP/1.1');
  }
}

function rawResponse(error: ApiError, errorBody: HttpServerOptions['errorBody']): string {
  const body = JSON.stringify(errorBody(error));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
