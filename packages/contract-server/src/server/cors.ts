import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { ContractDocument } from '../document/document.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import { listOperations } from '../operation/operation.js';
import { createUnmatchedOperation } from '../pipeline/status-check.js';

/** Says in a response which pages may read it, as header lines: the Fetch standard's CORS protocol. */
export type CorsHeaders = (req: IncomingMessage) => readonly string[];

/** Headers that any response may have, declared or not. */
const COMMON = ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Allow'];
/** Pages may read these anyway, and `Set-Cookie` never. */
const NOT_EXPOSED = [
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires'],
  ...['last-modified', 'pragma', 'set-cookie', 'set-cookie2'],
];
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Pages of these origins may read every answer, errors too, and the headers that the contract declares.
 * Without `Access-Control-Allow-Credentials`: credentials are what a page sends, not what its browser adds.
 */
export function createCorsHeaders(
  origins: readonly string[],
  document: ContractDocument,
): CorsHeaders {
  const exposed = ['Access-Control-Expose-Headers', exposedHeaders(document).join(', ')];
  if (origins.includes('*')) {
    const forAll = ['Access-Control-Allow-Origin', '*', ...exposed];
    return () => forAll;
  }
  const known = new Set(origins);
  // A cache must not give one origin what was said to another, or to none.
  const forOthers = ['Vary', 'Origin'];
  return ({ headers: { origin } }) =>
    origin !== undefined && known.has(origin)
      ? [...forOthers, 'Access-Control-Allow-Origin', origin, ...exposed]
      : forOthers;
}

/** Adds them to the headers of every response. The router answers preflights. */
export function createCors(headersOf: CorsHeaders): RequestHandler {
  return (req, res, next) => {
    const locals: ExchangeLocals = res.locals;
    locals.responseHeaders = [...(locals.responseHeaders ?? []), ...headersOf(req)];
    next();
  };
}

function exposedHeaders(document: ContractDocument): string[] {
  const operations = [...listOperations(document), createUnmatchedOperation(document, {})];
  const names = new Map(COMMON.map((name) => [name.toLowerCase(), name]));
  for (const { responses } of operations) {
    for (const { headers = {} } of responses.values()) {
      for (const name of Object.keys(headers).filter((name) => FIELD_NAME.test(name))) {
        if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
      }
    }
  }
  for (const name of NOT_EXPOSED) names.delete(name);
  return [...names.values()];
}
