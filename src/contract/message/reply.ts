import type { Request, Response as ExpressResponse } from 'express';
import { ApiError, unforeseen } from '../api-error.js';
import { ClientGoneError } from './body.js';
import type { ContractDocument } from '../document/document.js';
import { setHeader } from './header-lines.js';
import { writeJson } from '../json/json.js';
import { declaredResponse, type Operation } from '../operation.js';
import type { Problem } from '../validation/problem.js';
import type { OperationValidator } from '../validation/validator.js';
import {
  BrokenResponseError,
  collectHeaders,
  createPreparation,
  type Response,
} from './prepared-response.js';
import { writeResponse } from './wire.js';

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
  send(req: Request, res: ExpressResponse, response: Response): Promise<void>;
  /** Answers with what was thrown, in the contract's error shape. */
  refuse(req: Request, res: ExpressResponse, thrown: unknown): Promise<void>;
}

export function createReply(
  document: ContractDocument,
  operation: Operation,
  { validateResponse }: OperationValidator,
  { errorBody, onFault, undeclaredErrors = 'refuse' }: ReplyOptions,
): Reply {
  const { operationId } = operation;
  const prepare = createPreparation(document, operation);

  /**
   * What goes wrong while a response is made or checked is wrong with the response. The contract's own
   * 500 then takes its place; should that be out of reach too, nothing unchecked leaves.
   */
  async function send(
    req: Request,
    res: ExpressResponse,
    make: () => Response,
    isLast = false,
  ): Promise<void> {
    let status: number | undefined;
    let problems: readonly Problem[];
    try {
      const response = make();
      ({ status } = response);
      const { wire, declared, mediaType, envelope, exact } = prepare(req, res.locals, response);
      problems = await validateResponse(declared, mediaType, envelope, exact);
      if (problems.length === 0) {
        writeResponse(req, res, wire);
        return;
      }
    } catch (error) {
      problems =
        error instanceof BrokenResponseError
          ? error.problems
          : [{ pointer: '', message: String(error) }];
    }
    if (isLast) {
      writeResponse(req, res, { status: 500, headers: [], body: '' });
      return;
    }
    onFault({ operationId, status, problems }, res);
    await sendError(req, res, unforeseen(undefined), true);
  }

  function sendError(
    req: Request,
    res: ExpressResponse,
    error: ApiError,
    isLast = false,
  ): Promise<void> {
    const { status } = error;
    if (undeclaredErrors === 'send' && declaredResponse(operation, status) === undefined) {
      const headers = collectHeaders(res.locals, error.headers);
      setHeader(headers, 'Content-Type', 'application/json');
      writeResponse(req, res, { status, headers, body: writeJson(errorBody(error)) });
      return Promise.resolve();
    }
    return send(
      req,
      res,
      () => ({ status, headers: error.headers, body: errorBody(error) }),
      isLast,
    );
  }

  return {
    send: (req, res, response) => send(req, res, () => response),
    refuse(req, res, thrown) {
      if (thrown instanceof ClientGoneError) {
        res.destroy();
        return Promise.resolve();
      }
      const error = thrown instanceof ApiError ? thrown : unforeseen(thrown);
      if (error.cause !== undefined && error.status >= 500) {
        onFault({ operationId, error: error.cause, status: error.status }, res);
      }
      return sendError(req, res, error);
    },
  };
}
