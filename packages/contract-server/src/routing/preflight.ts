import type { Request, Response } from 'express';
import { isObject, type ContractDocument } from '../document/document.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import { getHeader } from '../message/header-lines.js';
import type { Operation } from '../operation/operation.js';

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

/** The header fields that an operation reads: its credentials, `Content-Type`, and those it declares. */
export function requestHeaders(document: ContractDocument, operation: Operation): string[] {
  const { security, requestBody, parameters } = operation;
  const schemes = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  return [
    ...[...schemes].flatMap((name) => credentialHeader(document, name)),
    ...(requestBody === undefined ? [] : ['Content-Type']),
    ...parameters.flatMap((parameter) => (parameter.in === 'header' ? parameter.name : [])),
  ];
}

function credentialHeader(document: ContractDocument, schemeName: string): string[] {
  const scheme = document.resolve(document.root.components?.securitySchemes?.[schemeName]);
  if (!isObject(scheme)) return [];
  if (scheme.type !== 'apiKey') return ['Authorization'];
  return scheme.in === 'header' ? [String(scheme.name)] : [];
}
