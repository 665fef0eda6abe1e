import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import { watchLongTurns } from '../exchange/long-turn.js';
import type { OpenStreams } from '../items/open-streams.js';
import { takeOriginForm } from '../routing/request-target.js';
import { createConnectionRefusal, type ConnectionRefusalOptions } from './connection-refusal.js';
import { Connection } from './connection.js';
import { Overload, type OverloadOptions } from './overload.js';
import { createTurns, type TurnsOptions } from './turns.js';

/** Longer than the proxies in front keep idle connections, so that it is they who close them. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_HEADER_LINES = 1000;
/** As many requests as this, waiting on one connection, are a flood. */
const FLOOD_REQUESTS = 64;
/** For this long after a flood, every connection is read by pieces. */
const WARY_MS = 60_000;

/** The setting of an app that says how many times as long as others the longest body may take. */
export const BODY_TIMEOUTS = 'body timeouts';

const UNLIMITED: OverloadOptions = {
  maxRequestsInFlight: Infinity,
  alwaysServed: [],
  onOverload: () => undefined,
};

export interface HttpServerOptions extends ConnectionRefusalOptions, TurnsOptions {
  readonly requestTimeoutMs: number;
  /** While it is true, each connection ends with its next answer (RFC 9112 §9.6). */
  readonly isLeaving?: () => boolean;
  /** What is refused under load; without it, nothing is. */
  readonly overload?: OverloadOptions;
  /** The app's streams: a response that becomes one is no request in flight any more. */
  readonly streams?: OpenStreams;
}

/**
 * An HTTP server for an express app; it doesn't listen yet.
 *
 * Express gives every request and every response its own prototypes, and V8 gives up optimizing
 * objects whose prototype changes. Here they are born with the prototypes that express would set, so
 * that nothing changes; the whole service runs several times faster for it.
 */
export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const { requestTimeoutMs, isLeaving = () => false } = options;
  const overload = new Overload(options, options.overload ?? UNLIMITED);
  const bodyTimeouts = Number(app.get(BODY_TIMEOUTS) ?? 1);
  const server = createServer({
    ...adoptPrototypes(app),
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeoutMs,
    // The contract engine times the body and answers in the contract's shape. This is the net below
    // it, for bodies that nobody reads.
    requestTimeout: (1 + bodyTimeouts) * requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 2),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node would answer without a body; the contract engine does it in the contract's shape.
    requireHostHeader: false,
  });
  // A client that has said all it will (RFC 9112 §9.6) still gets its answers. Node has this property
  // since its beginnings, but doesn't document it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node would drop, without a word, those beyond the limit.
  server.maxHeadersCount = 0;

  const refuse = createConnectionRefusal(options);
  const turns = createTurns(serve, options);
  const connections = new Map<Socket, Connection>();
  let floodedAt = -Infinity;

  function connectionOf(socket: Socket): Connection {
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket, turns, overload, refuse);
      connections.set(socket, connection);
      socket.once('close', () => connections.delete(socket));
    }
    return connection;
  }

  function receive(req: IncomingMessage, res: ServerResponse): void {
    turns.count();
    // Node throws away what it has read behind a request for another protocol, which may end anywhere.
    if (req.headers.upgrade !== undefined) res.setHeader('Connection', 'close');
    // Equal: it is passed once for each flood. At the end of this tick node has made requests of all
    // that it has read from this connection, and has not yet looked at another one.
    if (connectionOf(req.socket).receive(res) === FLOOD_REQUESTS) process.nextTick(onFlood);
  }

  function onFlood(): void {
    floodedAt = performance.now();
    for (const connection of connections.values()) connection.readByPieces();
  }

  function serve(res: ServerResponse): void {
    // A request that was refused, or whose client has gone, isn't served.
    const { req } = res;
    if (!req.socket.writable) return;
    if (!req.complete) connectionOf(req.socket).awaitBody(res);
    if (isLeaving()) res.setHeader('Connection', 'close');
    if (req.rawHeaders.length > 2 * MAX_HEADER_LINES) refuse(req.socket, tooManyHeaders());
    else {
      takeOriginForm(req);
      app(req, res);
    }
  }

  options.streams?.onOpen((res) => {
    connections.get(res.req.socket)?.stream(res);
  });
  server.on('connection', (socket: Socket) => {
    const connection = connectionOf(socket);
    if (performance.now() - floodedAt < WARY_MS) connection.readByPieces();
  });
  // A client that doesn't read its answer is let go. To time every answer would cost every request.
  const unsentCheck = setInterval(() => {
    for (const socket of connections.keys()) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(requestTimeoutMs);
    }
  }, requestTimeoutMs).unref();
  // A large body's value is garbage as soon as it is stored, and costs nothing then: a turn of the event
  // loop later V8 would have copied all of it.
  const unwatch = watchLongTurns(options.onServed ?? (() => undefined));
  server.on('close', () => {
    clearInterval(unsentCheck);
    unwatch();
  });
  server.on('timeout', (socket: Socket) => {
    if (!connectionOf(socket).isExecuting) socket.destroy();
  });
  server.on('request', receive);
  // Without these listeners node would say 100 or 417 itself, before anybody has looked at the request.
  server.on('checkContinue', receive);
  server.on('checkExpectation', receive);
  // Without this one it would close the connection. The socket's errors are ours now: unhandled, they
  // end the process.
  server.on('connect', (_req, socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, new ApiError(EngineCode.badTarget, 'the request target must be a path'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const reason = parserError(error, requestTimeoutMs);
    if (reason === undefined) socket.destroy();
    else connectionOf(socket).fail(reason);
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
    /** Without it express makes an object without a prototype, which V8 keeps as a dictionary. */
    readonly locals: ExchangeLocals = {};
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  // Each inherits what express's own prototype has, and is declared as no more than that.
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function tooManyHeaders(): ApiError {
  return new ApiError(
    EngineCode.headersTooLarge,
    `the header section has more than the ${MAX_HEADER_LINES} lines allowed`,
  );
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
