import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { principalName, type ExchangeLocals } from '../exchange/exchange-locals.js';
import type { Observer } from '../exchange/observer.js';
import { getHeader } from '../message/header-lines.js';

const REQUEST_ID = 'X-Request-Id';
const SANE_ID = /^[A-Za-z0-9._~-]{1,128}$/;
/** The part of a target that is logged: the beginning of its path. The rest may hold a secret. */
const LOGGED_PATH = /^\/[^?#]{0,199}/;

/**
 * Gives every exchange an id, the client's own if that is sane, and logs one line when it ends. The
 * line has no query, no header and no body, and with that no secret.
 * @param observer follows every exchange from here to its end
 */
export function createRequestLog(logger: Logger, observer?: Observer): RequestHandler {
  // Random once and counted from there, which is cheaper than a random one for each.
  const prefix = randomBytes(8).toString('hex');
  let made = 0;
  // Not decimal: V8 caches the decimal texts of numbers, and would keep them longer than their requests.
  const makeId = (): string => `${prefix}-${(++made).toString(36)}`;

  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && SANE_ID.test(given) ? given : makeId();
    const locals: ExchangeLocals = res.locals;
    locals.responseHeaders = [REQUEST_ID, requestId];
    const startedAt = performance.now();
    const observation = observer?.observe(req);
    if (observation !== undefined) locals.observation = observation;
    res.on('close', () => {
      const status = res.headersSent ? res.statusCode : undefined;
      const level = status !== undefined && status >= 500 ? 'error' : 'info';
      const isLogged = logger.isLevelEnabled(level);
      if (!isLogged && observation === undefined) return;
      const durationMs = performance.now() - startedAt;
      observation?.ended(status, durationMs);
      if (!isLogged) return;
      const { operationId, principal } = locals;
      const line = {
        requestId,
        method: req.method,
        path: LOGGED_PATH.exec(req.originalUrl)?.[0],
        operationId,
        status,
        // "close" without "finish": the client left before the whole answer was handed over.
        isAborted: res.writableFinished ? undefined : true,
        durationMs: Math.round(durationMs * 1000) / 1000,
        token: principalName(principal),
        client: req.ip,
        trace_id: observation?.traceId,
        span_id: observation?.spanId,
      };
      logger[level](line, 'request');
    });
    next();
  };
}

/** The id of the exchange that a response belongs to; undefined where no request log stands before it. */
export function requestIdOf({ locals }: Response): string | undefined {
  const { responseHeaders = [] }: ExchangeLocals = locals;
  return getHeader(responseHeaders, REQUEST_ID);
}
