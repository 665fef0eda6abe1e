import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import type { Responder } from '../message/responder.js';

/** Answers a request that no middleware before it has answered. */
export function createNotFound(unmatched: Responder): RequestHandler {
  return (req, res) => {
    const error = new ApiError(EngineCode.unknownPath, 'there is nothing at this path');
    return unmatched.refuse(req, res, error);
  };
}

/**
 * Answers a request whose middleware has thrown, such as a log that fails while a fault is reported.
 * Never throws: nothing behind it would catch that.
 */
export function createErrorHandler(unmatched: Responder): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return async (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      breakOff(res);
      return;
    }
    try {
      await unmatched.refuse(req, res, error);
    } catch {
      breakOff(res);
    }
  };
}

/** A response that has begun can only be destroyed: cut short, it must not look whole. */
function breakOff(res: Response): void {
  if (res.writableEnded) return;
  if (res.headersSent) res.destroy();
  else res.writeHead(500, { 'Content-Length': 0 }).end();
}
