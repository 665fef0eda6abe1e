import type { Request, Response as ExpressResponse } from 'express';
import { ApiError, EngineCode } from './api-error.js';
import type { Authenticate } from './authenticate.js';
import { decodeUtf8, readBody, type BodyLimits } from './body.js';
import type { ContractDocument } from './document.js';
import { compileRestore, type Restore } from './integers.js';
import { parseJson, type ParsedJson } from './json.js';
import { JsonError } from './json-value.js';
import { createAcceptCheck, createMediaTypeCheck } from './negotiate.js';
import type { Operation } from './operation.js';
import type { Reply, Response } from './reply.js';
import type { OperationValidator } from './validator.js';

/** A handler, once its operation's types have done their work. */
export type UntypedHandler = (request: {
  body: unknown;
  principal: unknown;
}) => Response | Promise<Response>;

export interface PipelineOptions {
  readonly limits: BodyLimits;
  /** Refuses every request while it returns an error, as when the service is stopping. */
  readonly refuseAll: () => ApiError | undefined;
}

/** What the engine tells those who come after it of an exchange, in `res.locals`. */
export interface ExchangeLocals {
  operationId?: string;
  principal?: unknown;
}

/** Everything that happens to a request of one operation, in order. */
export function createPipeline(
  document: ContractDocument,
  operation: Operation,
  authenticate: Authenticate,
  { validateRequest }: OperationValidator,
  handler: UntypedHandler,
  reply: Reply,
  { limits, refuseAll }: PipelineOptions,
): (req: Request, res: ExpressResponse) => Promise<void> {
  const { operationId } = operation;
  const checkAccept = createAcceptCheck(operation);
  const checkMediaType = createMediaTypeCheck(operation);
  const restores = compileRestores(document, operation);

  async function answer(
    req: Request,
    res: ExpressResponse,
    locals: ExchangeLocals,
  ): Promise<Response> {
    const refusal = refuseAll();
    if (refusal !== undefined) throw refusal;

    const principal = (locals.principal = await authenticate(req.headers));
    checkAccept(req);
    const mediaType = checkMediaType(req);

    const bytes = await readBody(req, res, limits);
    const { exact, rounded } = parseBody(operation, bytes);
    await validateRequest({ query: queryOf(req.url), mediaType, body: rounded });
    const restore = mediaType === undefined ? undefined : restores.get(mediaType);
    const body = restore === undefined ? rounded : restore(rounded, exact ?? null);

    return handler({ body, principal });
  }

  return async (req, res) => {
    const locals: ExchangeLocals = res.locals;
    locals.operationId = operationId;
    let response;
    try {
      response = await answer(req, res, locals);
    } catch (error) {
      reply.refuse(req, res, error);
      return;
    }
    reply.send(req, res, response);
  };
}

function parseBody(operation: Operation, bytes: Buffer): Partial<ParsedJson> {
  if (bytes.length === 0) {
    if (operation.requestBody?.required !== true) return {};
    throw new ApiError(EngineCode.malformedJson, 'this operation needs a body');
  }
  try {
    return parseJson(decodeUtf8(bytes));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ApiError(EngineCode.malformedJson, `the body is not valid JSON: ${error.message}`);
  }
}

function compileRestores(document: ContractDocument, operation: Operation): Map<string, Restore> {
  const restores = new Map<string, Restore>();
  for (const [mediaType, { schema }] of operation.requestBody?.content ?? []) {
    const restore = schema && compileRestore(document, schema);
    if (restore !== undefined) restores.set(mediaType, restore);
  }
  return restores;
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}
