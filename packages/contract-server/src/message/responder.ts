import type { Request, Response } from 'express';
import type { ContractDocument } from '../document/document.js';
import { ApiError, unforeseen } from '../exchange/api-error.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import { OpenStreams } from '../items/open-streams.js';
import { writeJson } from '../json/json.js';
import { declaredResponse, type Operation } from '../operation/operation.js';
import type { OperationValidator } from '../validation/validator.js';
import { ClientGoneError } from './body.js';
import { BrokenResponseError, type FaultOptions } from './fault.js';
import { setHeader } from './header-lines.js';
import { createItemResponder } from './item-responder.js';
import { discardBody } from './response-body.js';
import { collectHeaders, createSerializer, type UntypedResult } from './serialize.js';
import { writeResponse } from './write.js';

export interface ResponderOptions extends FaultOptions {
  /** The responses whose items are sent as they come. */
  readonly streams?: OpenStreams;
  /**
   * What becomes of an error whose status the operation doesn't declare: such a contract is refused
   * at boot, which is the default, or the error is sent all the same, unchecked, as JSON.
   */
  readonly undeclaredErrors?: 'refuse' | 'send';
}

/**
 * Answers the requests of one operation; nothing passes it that the contract doesn't declare. Both
 * reject only where a fault can't be reported, such as by a log that throws.
 */
export interface Responder {
  /** Answers with a handler's result; with the contract's own 500 where it breaks the contract. */
  respond(req: Request, res: Response, result: UntypedResult): Promise<void>;
  /** Answers with what was thrown, in the contract's error shape. */
  refuse(req: Request, res: Response, thrown: unknown): Promise<void>;
}

export function createResponder(
  document: ContractDocument,
  operation: Operation,
  validator: OperationValidator,
  options: ResponderOptions,
): Responder {
  const { operationId } = operation;
  const { errorBody, onFault, undeclaredErrors = 'refuse', streams = new OpenStreams() } = options;
  const serialize = createSerializer(document, operation);
  const respondWithItems = createItemResponder(document, operation, validator, streams, options);

  /** @throws what is wrong with the response, which then has not been sent */
  async function send(req: Request, res: Response, result: UntypedResult): Promise<void> {
    const { response, validated, items } = serialize(req, res.locals, result);
    if (items !== undefined) {
      await respondWithItems(req, res, response, validated, items);
      return;
    }
    const problems = await validator.validateResponse(validated);
    if (problems.length > 0) throw new BrokenResponseError(problems);
    writeResponse(req, res, response);
  }

  /** @throws as {@link send} does, and what `errorBody` throws */
  async function sendError(req: Request, res: Response, error: ApiError): Promise<void> {
    const { status } = error;
    const declared = declaredResponse(operation, status);
    if (declared !== undefined || undeclaredErrors === 'refuse') {
      // One that is declared without content has none.
      const hasBody = Object.keys(declared?.content ?? {}).length > 0;
      const body = hasBody ? errorBody(error, operationId) : undefined;
      await send(req, res, { status, headers: error.headers, body });
      return;
    }
    const headers = collectHeaders(res.locals, error.headers);
    setHeader(headers, 'Content-Type', 'application/json');
    const body = writeJson(errorBody(error, operationId));
    writeResponse(req, res, { status, headers, body });
  }

  /** Reports a response that can't be sent; the contract's own 500 takes its place. */
  async function replace(
    req: Request,
    res: Response,
    status: number | undefined,
    error: unknown,
  ): Promise<void> {
    const problems =
      error instanceof BrokenResponseError
        ? error.problems
        : [{ pointer: '', message: String(error) }];
    onFault({ operationId, status, problems }, res);
    try {
      await sendError(req, res, unforeseen(undefined));
    } catch {
      // That one breaks the contract, too. Nothing unchecked may leave, so there is no body.
      writeResponse(req, res, { status: 500, headers: [], body: '' });
    }
  }

  return {
    async respond(req, res, result) {
      try {
        await send(req, res, result);
      } catch (error) {
        discardBody(statusOf(result) === undefined ? undefined : result.body);
        if (error instanceof ApiError) await this.refuse(req, res, error);
        else await replace(req, res, statusOf(result), error);
      }
    },

    async refuse(req, res, thrown) {
      if (thrown instanceof ClientGoneError) {
        res.destroy();
        return;
      }
      const error = thrown instanceof ApiError ? thrown : unforeseen(thrown);
      const { status } = error;
      const { observation }: ExchangeLocals = res.locals;
      observation?.refused(error.code);
      if (error.cause !== undefined && status >= 500) {
        onFault({ operationId, error: error.cause, status }, res);
      }
      try {
        await sendError(req, res, error);
      } catch (broken) {
        await replace(req, res, status, broken);
      }
    },
  };
}

/** A handler behind a cast may have returned nothing. */
function statusOf(result: UntypedResult | undefined): number | undefined {
  return result?.status;
}
