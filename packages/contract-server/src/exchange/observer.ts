import type { IncomingMessage } from 'node:http';

/** The operation that a request was routed to. */
export interface ObservedOperation {
  readonly operationId: string;
  readonly pathTemplate: string;
}

/** `response`: it broke the contract. `error`: something was thrown that no client may see. */
export type FaultKind = 'response' | 'error';

/**
 * Follows one request. Its methods are called on the path of every request, so they have to be quick,
 * and they never throw.
 */
export interface Observation {
  /** Of the span of the request, for its lines of the log; undefined where nothing is traced. */
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  /**
   * The operation is known.
   * @param basePath where the contract is mounted: empty, or `/` and more
   */
  routed(operation: ObservedOperation, basePath: string): void;
  /** Calls the operation's handler, and returns what it returns. */
  handle<Request, Result>(
    handler: (request: Request) => Result | Promise<Result>,
    request: Request,
  ): Result | Promise<Result>;
  /** The request is answered with an error that was thrown, by its code. */
  refused(code: number): void;
  faulted(kind: FaultKind): void;
  /**
   * The exchange is over.
   * @param status undefined where the client left before there was an answer
   */
  ended(status: number | undefined, durationMs: number): void;
}

/** Is told what becomes of the requests of a service, as for metrics and traces. */
export interface Observer {
  /** Gets the operations of the contract, before any request. */
  serves(operations: readonly ObservedOperation[]): void;
  /** A request has arrived; nothing has looked at it yet. */
  observe(req: IncomingMessage): Observation;
  /** Something was refused before it was a request, with the code of an error. */
  refusedConnection(code: number): void;
  /** So many requests were refused since the service is overloaded. */
  shed(requests: number): void;
}
