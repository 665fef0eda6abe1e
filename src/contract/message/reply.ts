import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Request, Response as ExpressResponse } from 'express';
import { ApiError, unforeseen } from '../api-error.js';
import type { ExchangeLocals } from '../exchange-locals.js';
import { ClientGoneError } from './body.js';
import type { ContractDocument } from '../document/document.js';
import { declaredHeaders } from '../validation/envelope.js';
import { writeJson } from '../json/json.js';
import { findDeclared } from './media-type.js';
import { declaredResponse, type Operation } from '../operation.js';
import type { Problem } from '../validation/problem.js';
import { writeBody } from './response-body.js';
import { createHeadersReader } from './response-headers.js';
import type { OperationValidator } from '../validation/validator.js';
import { writeResponse, type WireResponse } from './wire.js';

/** A response as a handler returns it. */
export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly contentType?: string | undefined;
  readonly body?: unknown;
}

/** Something that is our fault. The client is told `unforeseen`; this is for the log. */
export interface Fault {
  readonly operationId: string;
  /** What was thrown, if anything was. */
  readonly error?: unknown;
  /** The status of a response that is not what the contract says, and what is wrong with it. */
  readonly status?: number | undefined;
  readonly problems?: readonly Problem[];
}

export interface ReplyOptions {
  /** The body, in the contract's own shape, that tells a client of an error. */
  readonly errorBody: (error: ApiError) => unknown;
  readonly onFault: (fault: Fault, res: ExpressResponse) => void;
  /**
   * What becomes of an error whose status the operation doesn't declare: such a contract is refused
   * at boot, which is the default, or the error is sent all the same, unchecked, as JSON.
   */
  readonly undeclaredErrors?: 'refuse' | 'send';
}

/** Answers the requests of one operation; nothing passes it that the contract doesn't declare. */
export interface Reply {
  send(req: Request, res: ExpressResponse, response: Response): void;
  /** Answers with what was thrown, in the contract's error shape. */
  refuse(req: Request, res: ExpressResponse, thrown: unknown): void;
}

export function createReply(
  document: ContractDocument,
  operation: Operation,
  { validateResponse }: OperationValidator,
  { errorBody, onFault, undeclaredErrors = 'refuse' }: ReplyOptions,
): Reply {
  const { operationId } = operation;
  const readHeadersOf = new Map(
    [...operation.responses.values()].map((declared) => [
      declared,
      createHeadersReader(document, declaredHeaders(document, declared)),
    ]),
  );

  function check(req: Request, res: ExpressResponse, response: Response): WireResponse | Problem[] {
    const { status } = response;
    const declared = declaredResponse(operation, status);
    if (declared === undefined) return [{ pointer: '/status', message: 'is not declared' }];
    const mediaTypes = Object.keys(declared.content ?? {});
    const contentType = response.contentType ?? preferred(req, mediaTypes);
    const mediaType = contentType && findDeclared(mediaTypes, contentType);
    if (contentType !== undefined && mediaType === undefined) {
      return [{ pointer: '/contentType', message: `${contentType} is not declared` }];
    }
    const headers = collectHeaders(res, response.headers);
    const { body, checked, exact } = writeBody(contentType, response.body);
    const header = readHeadersOf.get(declared)?.(headers) ?? {};
    const envelope = { header, body: checked };
    const problems = validateResponse(declared, mediaType, envelope, { body: exact });
    if (problems.length > 0) return problems;
    if (contentType !== undefined) headers.set('Content-Type', contentType);
    return { status, headers, body };
  }

  /** Never throws: what goes wrong while a response is made or checked is wrong with the response. */
  function attempt(
    req: Request,
    res: ExpressResponse,
    make: () => Response,
  ): WireResponse | (Fault & { problems: Problem[] }) {
    let status: number | undefined;
    try {
      const response = make();
      ({ status } = response);
      const checked = check(req, res, response);
      return Array.isArray(checked) ? { operationId, status, problems: checked } : checked;
    } catch (error) {
      return { operationId, status, problems: [{ pointer: '', message: String(error) }] };
    }
  }

  function attemptError(req: Request, res: ExpressResponse, error: ApiError) {
    if (undeclaredErrors === 'send' && declaredResponse(operation, error.status) === undefined) {
      const headers = collectHeaders(res, error.headers);
      headers.set('Content-Type', 'application/json');
      return { status: error.status, headers, body: writeJson(errorBody(error)) };
    }
    return attempt(req, res, () => toResponse(error));
  }

  function send(
    req: Request,
    res: ExpressResponse,
    checked: WireResponse | (Fault & { problems: Problem[] }),
  ): void {
    if (!('problems' in checked)) {
      writeResponse(req, res, checked);
      return;
    }
    onFault(checked, res);
    const fallback = attemptError(req, res, unforeseen(undefined));
    // Should the contract's own 500 be out of reach too, then nothing unchecked leaves.
    writeResponse(
      req,
      res,
      'problems' in fallback
        ? { status: 500, headers: new Map<string, string>(), body: '' }
        : fallback,
    );
  }

  function toResponse(error: ApiError): Response {
    return { status: error.status, headers: error.headers, body: errorBody(error) };
  }

  return {
    send(req, res, response) {
      send(
        req,
        res,
        attempt(req, res, () => response),
      );
    },
    refuse(req, res, thrown) {
      if (thrown instanceof ClientGoneError) {
        res.destroy();
        return;
      }
      const error = thrown instanceof ApiError ? thrown : unforeseen(thrown);
      if (error.cause !== undefined && error.status >= 500) {
        onFault({ operationId, error: error.cause, status: error.status }, res);
      }
      send(req, res, attemptError(req, res, error));
    },
  };
}

/**
 * The headers of a response, by their names as they are written.
 * @throws TypeError where one can stand in no response
 */
function collectHeaders(
  { locals }: ExpressResponse,
  own: Readonly<Record<string, unknown>> = {},
): Map<string, string> {
  const { responseHeaders }: ExchangeLocals = locals;
  const headers = new Map(responseHeaders);
  for (const [name, value] of Object.entries(own)) {
    const text = String(value);
    validateHeaderName(name);
    validateHeaderValue(name, text);
    headers.set(name, text);
  }
  return headers;
}

/** Where the handler leaves the choice open: what the client likes best (RFC 9110 §12.5.1). */
function preferred(req: Request, mediaTypes: readonly string[]): string | undefined {
  const [first] = mediaTypes;
  if (mediaTypes.length < 2) return first;
  return req.accepts([...mediaTypes]) || first;
}
