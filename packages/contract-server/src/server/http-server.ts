import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { ApiError, EngineCode } from '../api-error.js';
import type { ExchangeLocals } from '../exchange-locals.js';
import { createConnectionRefusal, type ConnectionRefusalOptions } from './connection-refusal.js';

/** Longer than the proxies in front keep idle connections, so that it is they who close them. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;

export interface HttpServerOptions extends ConnectionRefusalOptions {
  readonly requestTimeoutMs: number;
  /** Called when what arrived together has been taken as far as it goes without waiting. */
  readonly onServed?: () => void;
}

/**
 * An HTTP server for an express app; it doesn't listen yet.
 *
 * Express gives every request and every response its own prototypes, and V8 gives up optimizing
 * objects whose prototype changes. Here they are born with the prototypes that express would set, so
 * that nothing changes; the whole service runs several times faster for it.
 */
export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const { requestTimeoutMs, onServed = () => undefined } = options;
  const server = createServer({
    ...adoptPrototypes(app),
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeoutMs,
    // The contract engine times the body and answers in the contract's shape. This is the net below
    // it, for bodies that nobody reads.
    requestTimeout: 2 * requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 2),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node would answer without a body; the contract engine does it in the contract's shape.
    requireHostHeader: false,
  });
  const refusal = createConnectionRefusal(options);

  let arrived: ServerResponse[] = [];

  // What has arrived by the end of this turn of the event loop, and of the next one, which is there to
  // read what came meanwhile and waits for nothing, is served together. Each stage then runs for one
  // request after the other, with its code in the processor's caches for all of them but the first, and
  // few requests miss the others' commit to wait for one of their own.
  function serve(_req: IncomingMessage, res: ServerResponse): void {
    refusal.watch(res);
    if (arrived.length === 0) setImmediate(serveInNextTurn);
    arrived.push(res);
  }

  function serveInNextTurn(): void {
    setImmediate(serveArrived);
    setImmediate(onServed);
  }

  function serveArrived(): void {
    const together = arrived;
    arrived = [];
    for (const res of together) {
      // One that has been refused, or whose client has gone, is not served any more.
      if (res.req.socket.writable) app(res.req, res);
    }
  }

  server.on('request', serve);
  // Without these listeners node would say 100 or 417 itself, before anybody has looked at the request.
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  // And here it would hang up. The socket is ours now, its errors too: unheard, they end the process.
  server.on('connect', (_req, socket) => {
    socket.on('error', () => socket.destroy());
    refusal.refuse(socket, new ApiError(EngineCode.badTarget, 'the request target must be a path'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const reason = parserError(error, requestTimeoutMs);
    if (reason === undefined) socket.destroy();
    else refusal.refuseInTurn(socket, reason);
  });
  return server;
}

/**
 * Classes for node to make requests and responses of, whose prototypes the app takes for its own. They
 * are real subclasses, because V8 gives what `Reflect.construct` makes a hidden class each.
 */
function adoptPrototypes(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Req extends IncomingMessage = IncomingMessage> extends ServerResponse<Req> {
    /** Else express makes one that inherits nothing, which V8 keeps as a dictionary. */
    readonly locals: ExchangeLocals = {};
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  // Each inherits what express's own prototype has, and is declared as no more than that.
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** What node's HTTP parser has against a request; undefined where it is the connection that broke. */
function parserError(
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
  if (!code.startsWith('HPE_')) return undefined;
  return new ApiError(EngineCode.malformedHttp, 'the request is not well-formed HTTP/1.1');
}
