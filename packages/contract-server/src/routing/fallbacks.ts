import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { ApiError, EngineCode } from '../api-error.js';
import type { Responder } from '../message/responder.js';

/** Answers what nothing before it has answered. */
export function createNotFound(unmatched: Responder): RequestHandler {
  return (req, res) => {
    const error = new ApiError(EngineCode.unknownPath, 'there is nothing at this path');
    return unmatched.refuse(req, res, error);
  };
}

/**
 * Answers what something before it has thrown: the net below every pipeline, for what goes wrong while
 * an error is answered, such as a log that throws. Never throws: nobody is left to catch it.
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
