import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { createRecord } from '../json/record.js';
import type { Responder } from '../message/responder.js';
import type { PathParameters } from '../parameters/parameters.js';
import { canonicalPath } from './canonical-path.js';
import { parsePathTemplate } from './path-template.js';
import { allowRequests, isPreflight } from './preflight.js';
import { hasValidHost } from './request-target.js';
import { RouteTree } from './route-tree.js';

/** Answers a request of one operation; rejects only where a fault can't be reported. */
export type Pipeline = (req: Request, res: Response, params: PathParameters) => Promise<void>;

/** The methods of one path template. */
export type PathItem = Map<string, RoutedOperation>;

export interface RoutedOperation {
  readonly pipeline: Pipeline;
  /** The header fields that the operation reads. */
  readonly requestHeaders: readonly string[];
}

interface Method extends RoutedOperation {
  readonly parameterNames: readonly string[];
}

/**
 * Routes a request to the pipeline of its operation; answers itself where there is none. Paths are
 * case-sensitive and have no trailing-slash twin.
 */
export function createRouter(
  paths: ReadonlyMap<string, PathItem>,
  unmatched: Responder,
): RequestHandler {
  const routes = createRoutes(paths);

  // Express hands on what a promise that is returned here rejects with.
  return (req, res, next) => {
    const found = find(req, res);
    if (found === undefined) {
      next();
      return undefined;
    }
    if (found instanceof ApiError) return unmatched.refuse(req, res, found);
    if ('pipeline' in found) return found.pipeline(req, res, found.params);
    if (found.preflight !== undefined) allowRequests(res, found.preflight);
    return unmatched.respond(req, res, { status: 204, headers: { Allow: found.allow } });
  };

  /** Where a request leads; undefined where nothing is at its path, an error where it is refused. */
  function find(req: Request, res: Response): Destination | ApiError | undefined {
    const problem = problemOf(req);
    if (problem !== undefined) return problem;
    const path = canonicalPath(pathOf(req));
    if (path === undefined) return malformedPath();
    // Looked up by path alone: whether the method exists is a question of its own, 405 rather than 404.
    const route = routes.find(path);
    if (route === undefined) return undefined;
    if (isPreflight(req, res)) return { allow: allowed(route.value), preflight: route.value };
    const method = route.value.get(req.method);
    if (method !== undefined) {
      const params = nameParameters(method.parameterNames, route.parameters);
      return { pipeline: method.pipeline, params };
    }
    const allow = allowed(route.value);
    return req.method === 'OPTIONS' ? { allow } : unknownMethod(req.method, allow);
  }
}

/** An operation, or the methods of a path, for OPTIONS (RFC 9110 §9.3.7). */
type Destination =
  | { readonly pipeline: Pipeline; readonly params: PathParameters }
  | { readonly allow: string; readonly preflight?: ReadonlyMap<string, RoutedOperation> };

function allowed(methods: ReadonlyMap<string, Method>): string {
  return [...new Set([...methods.keys(), 'OPTIONS'])].join(', ');
}

function createRoutes(paths: ReadonlyMap<string, PathItem>): RouteTree<Map<string, Method>> {
  const routes = new RouteTree<Map<string, Method>>();
  const places = new Set<Map<string, Method>>();
  for (const [pathTemplate, item] of paths) {
    const template = parsePathTemplate(pathTemplate);
    // Invalid path templates were refused at boot.
    if (template === undefined) continue;
    const methods = routes.valueAt(template, () => new Map<string, Method>());
    for (const [name, operation] of item) {
      // Of two templates for the same requests, the first has them: the boot has refused the other.
      if (methods.has(name)) continue;
      methods.set(name, { ...operation, parameterNames: template.parameterNames });
    }
    places.add(methods);
  }
  for (const methods of places) {
    const get = methods.get('GET');
    // RFC 9110 §9.3.2: the answer to a GET, which node sends without its body.
    if (get !== undefined && !methods.has('HEAD')) methods.set('HEAD', get);
  }
  return routes;
}

function nameParameters(names: readonly string[], values: readonly string[]): PathParameters {
  const params = createRecord<string>();
  for (let index = 0; index < names.length; index++) {
    params[names[index] ?? ''] = values[index] ?? '';
  }
  return params;
}

/**
 * Refuses requests that Node accepts and that aren't well-formed HTTP/1.1. Operations are protected by the
 * router; this is for what is served beside them.
 */
export function createRequestCheck(unmatched: Responder): RequestHandler {
  return async (req, res, next) => {
    const problem = problemOf(req);
    if (problem === undefined) next();
    else await unmatched.refuse(req, res, problem);
  };
}

/**
 * What is wrong with a request before anybody looks at its path: it isn't well-formed, or its target
 * isn't a path with or without a query, but `*`, or has a fragment (RFC 9112 §3.2.1). A whole URL is
 * one only where {@link takeOriginForm} hasn't gone before, or has found it wrong.
 */
function problemOf(req: Request): ApiError | undefined {
  if (isMalformed(req)) return malformed();
  const target = req.originalUrl;
  if (target.startsWith('/') && !target.includes('#')) return undefined;
  return new ApiError(EngineCode.badTarget, 'the request target must be a path');
}

/** RFC 9112 §2.3, §3.2 and §6.1: the version, the Host, and a transfer coding that is not chunked. */
function isMalformed(req: IncomingMessage): boolean {
  const { httpVersionMajor, httpVersionMinor, headers } = req;
  if (httpVersionMajor !== 1 || !hasValidHost(req)) return true;
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0);
}

function malformed(): ApiError {
  return new ApiError(EngineCode.malformedHttp, 'the request is not well-formed HTTP/1.1', {
    Connection: 'close',
  });
}

function unknownMethod(method: string, allow: string): ApiError {
  return new ApiError(
    EngineCode.unknownMethod,
    `${method} is not a method of this path, which has: ${allow}`,
    { Allow: allow },
  );
}

function malformedPath(): ApiError {
  return new ApiError(
    EngineCode.malformedParameter,
    'the path has a percent sign that begins no percent-encoding',
  );
}

/** The path below where the router is mounted. */
function pathOf({ url, originalUrl, baseUrl }: Request): string {
  // Express turns an empty path into `/`, which is the path of `/base/`, not of `/base`.
  if (baseUrl !== '' && originalUrl.length < baseUrl.length + url.length) return '';
  const at = url.indexOf('?');
  return at === -1 ? url : url.slice(0, at);
}
