/** What the middleware of one exchange shares in `res.locals`. */
export interface ExchangeLocals {
  /** Headers of every response, each name followed by its value; set by middleware before the engine. */
  responseHeaders?: readonly string[];
  /** Set by the engine, once the request is routed and then authenticated. */
  operationId?: string;
  principal?: unknown;
}
