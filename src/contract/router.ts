import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response as ExpressResponse } from 'express';
import createFindMyWay from 'find-my-way';
import { ApiError, EngineCode } from './api-error.js';
import type { Reply } from './reply.js';

export type Pipeline = (req: Request, res: ExpressResponse) => Promise<void>;

/** The methods of one path template. */
export type PathItem = Map<string, Pipeline>;

/**
 * Routes a request to the pipeline of its operation; answers itself where there is none. Paths are
 * case-sensitive and have no trailing-slash twin.
 */
export function createRouter(
  paths: ReadonlyMap<string, PathItem>,
  unmatched: Reply,
): RequestHandler {
  const router = createFindMyWay({ caseSensitive: true, ignoreTrailingSlash: false });
  for (const [pathTemplate, item] of paths) {
    router.on('GET', toRoute(pathTemplate), () => undefined, item);
  }

  return (req, res, next) => {
    // Looked up by path alone: whether the method exists is a question of its own, 405 rather than 404.
    const route = router.find('GET', pathOf(req.url));
    if (route === null) {
      next();
      return;
    }
    const item = route.store as PathItem; // what was put in above
    const pipeline = item.get(req.method);
    if (pipeline !== undefined) {
      void pipeline(req, res);
      return;
    }
    const allow = [...item.keys(), 'OPTIONS'].join(', ');
    if (req.method === 'OPTIONS')
      unmatched.send(req, res, { status: 204, headers: { Allow: allow } });
    else unmatched.refuse(req, res, unknownMethod(req.method, allow));
  };
}

/**
 * Refuses what node lets pass and HTTP/1.1 doesn't, and a target that isn't a path with or without a
 * query: `*`, a whole URL, one with a fragment (RFC 9112 §3.2.1). It stands before everything else.
 */
export function createRequestCheck(unmatched: Reply): RequestHandler {
  return (req, res, next) => {
    const target = req.originalUrl;
    if (isMalformed(req)) unmatched.refuse(req, res, malformed());
    else if (target.startsWith('/') && !target.includes('#')) next();
    else
      unmatched.refuse(
        req,
        res,
        new ApiError(EngineCode.badTarget, 'the request target must be a path'),
      );
  };
}

/** RFC 9112 §2.3, §3.2 and §6.1: the version, the Host, and a transfer coding that is not chunked. */
function isMalformed({ httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true;
  if (httpVersionMinor === 1 && headers.host === undefined) return true;
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0);
}

function malformed(): ApiError {
  return new ApiError(EngineCode.malformedHttp, 'the request is not well-formed HTTP/1.1', {
    Connection: 'close',
  });
}

/** Answers what nothing before it has answered. */
export function createNotFound(unmatched: Reply): RequestHandler {
  return (req, res) => {
    unmatched.refuse(
      req,
      res,
      new ApiError(EngineCode.unknownPath, 'there is nothing at this path'),
    );
  };
}

/** Answers what something before it has thrown. */
export function createErrorHandler(unmatched: Reply) {
  // Express knows an error handler by its four parameters.
  return (error: unknown, req: Request, res: ExpressResponse, _next: NextFunction): void => {
    unmatched.refuse(req, res, error);
  };
}

function unknownMethod(method: string, allow: string): ApiError {
  return new ApiError(
    EngineCode.unknownMethod,
    `${method} is not a method of this path, which has: ${allow}`,
    { Allow: allow },
  );
}

/** find-my-way writes a parameter `:name`, and a colon `::`. */
function toRoute(pathTemplate: string): string {
  return pathTemplate.replace(/:/g, '::').replace(/\{([^}]+)\}/g, ':$1');
}

function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? target : target.slice(0, at);
}
