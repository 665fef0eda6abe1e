import type { Request, Response } from 'express';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import { getHeader } from '../message/header-lines.js';

/** How long a browser may go by the answer, in seconds; Chromium's most. What isn't in it is asked anew. */
const MAX_AGE_S = 7200;

/**
 * Whether a browser asks if a page may send a request, before it sends that (CORS-preflight request of the
 * Fetch standard); only of a page that may read the answer.
 */
export function isPreflight(req: Request, res: Response): boolean {
  const { responseHeaders = [] }: ExchangeLocals = res.locals;
  return (
    req.method === 'OPTIONS' &&
    req.headers['access-control-request-method'] !== undefined &&
    getHeader(responseHeaders, 'Access-Control-Allow-Origin') !== undefined
  );
}

/** Says which methods a path has in the contract, and which header fields they read. */
export function allowRequests(
  res: Response,
  methods: ReadonlyMap<string, { readonly requestHeaders: readonly string[] }>,
): void {
  const names = [...methods.values()].flatMap(({ requestHeaders }) => requestHeaders);
  const locals: ExchangeLocals = res.locals;
  locals.responseHeaders = [
    ...(locals.responseHeaders ?? []),
    ...['Access-Control-Allow-Methods', [...methods.keys()].join(', ')],
    ...['Access-Control-Allow-Headers', [...new Set(names)].join(', ')],
    ...['Access-Control-Max-Age', String(MAX_AGE_S)],
  ];
}
