import type { RequestHandler } from 'express';
import type { Observation } from './observer.js';

/** What the middleware of one exchange shares in `res.locals`. */
export interface ExchangeLocals {
  /** Headers of every response, each name followed by its value; set by middleware before the engine. */
  responseHeaders?: readonly string[];
  /** Follows the exchange, where somebody does; set by middleware before the engine. */
  observation?: Observation;
  /** Set by the engine, once the request is routed and then authenticated. */
  operationId?: string;
  principal?: unknown;
}

/** What a principal is called, where its strategy gives it a name. */
export function principalName(principal: unknown): unknown {
  return typeof principal === 'object' && principal !== null && 'name' in principal
    ? principal.name
    : undefined;
}

/** Gives the headers of every response to one that the engine doesn't write. */
export const setResponseHeaders: RequestHandler = (_req, res, next) => {
  const { responseHeaders = [] }: ExchangeLocals = res.locals;
  for (let at = 0; at < responseHeaders.length; at += 2) {
    res.set(responseHeaders[at] ?? '', responseHeaders[at + 1]);
  }
  next();
};
