import type { Request, Response as ExpressResponse } from 'express';
import { ApiError, unforeseen } from '../api-error.js';
import { ClientGoneError } from './body.js';
import type { ContractDocument } from '../document/document.js';
import { setHeader } from './header-lines.js';
import { writeJson } from '../json/json.js';
import { declaredResponse, type Operation } from '../operation/operation.js';
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
  /** @param giveUp gets what goes wrong where an error is answered, such as a log that throws */
  send(req: Request, res: ExpressResponse, response: Response, giveUp: GiveUp): void;
  /** Answers with what was thrown, in the contract's error shape. */
  refuse(req: Request, res: ExpressResponse, thrown: unknown, giveUp: GiveUp): void;
}

export type GiveUp = (error: unknown) => void;

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
  function send(
    req: Request,
    res: ExpressResponse,
    make: () => Response,
    giveUp: GiveUp,
    isLast = false,
  ): void {
    let status: number | undefined;

    function fail(error: unknown): void {
      const problems =
        error instanceof BrokenResponseError
          ? error.problems
          : [{ pointer: '', message: String(error) }];
      answerOr(giveUp, () => {
        if (isLast) {
          writeResponse(req, res, { status: 500, headers: [], body: '' });
          return;
        }
        onFault({ operationId, status, problems }, res);
        sendError(req, res, unforeseen(undefined), giveUp, true);
      });
    }

    try {
      const response = make();
      ({ status } = response);
      const { wire, declared, mediaType, judged } = prepare(req, res.locals, response);
      const use = (problems: readonly Problem[]): void => {
        if (problems.length > 0) throw new BrokenResponseError(problems);
        writeResponse(req, res, wire);
      };
      validateResponse(declared, mediaType, judged, { use, fail });
    } catch (error) {
      fail(error);
    }
  }

  function sendError(
    req: Request,
    res: ExpressResponse,
    error: ApiError,
    giveUp: GiveUp,
    isLast = false,
  ): void {
    const { status } = error;
    if (undeclaredErrors === 'send' && declaredResponse(operation, status) === undefined) {
      const headers = collectHeaders(res.locals, error.headers);
      setHeader(headers, 'Content-Type', 'application/json');
      writeResponse(req, res, { status, headers, body: writeJson(errorBody(error)) });
      return;
    }
    const make = (): Response => ({ status, headers: error.headers, body: errorBody(error) });
    send(req, res, make, giveUp, isLast);
  }

  return {
    send(req, res, response, giveUp) {
      send(req, res, () => response, giveUp);
    },
    refuse(req, res, thrown, giveUp) {
      if (thrown instanceof ClientGoneError) {
        res.destroy();
        return;
      }
      const error = thrown instanceof ApiError ? thrown : unforeseen(thrown);
      answerOr(giveUp, () => {
        if (error.cause !== undefined && error.status >= 500) {
          onFault({ operationId, error: error.cause, status: error.status }, res);
        }
        sendError(req, res, error, giveUp);
      });
    },
  };
}

function answerOr(giveUp: GiveUp, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    // To express's next, nothing would be no error.
    giveUp(error ?? new Error('an answer failed, and nothing says why'));
  }
}
