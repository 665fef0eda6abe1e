import type { Response } from 'express';
import type { ApiError, Problem } from '../exchange/api-error.js';

/** A fault of the service, for the log; the client is only told of an unforeseen error. */
export interface Fault {
  readonly operationId: string;
  /** What was thrown, if anything was. */
  readonly error?: unknown;
  /** The status of a response that is not what the contract says, and what is wrong with it. */
  readonly status?: number | undefined;
  readonly problems?: readonly Problem[];
  /** Which item of the body it was, from 0 on; undefined where the body has none, or none was sent. */
  readonly item?: number;
}

/** What becomes of faults. */
export interface FaultOptions {
  /**
   * The body, in the contract's own shape, that tells a client of an error. The operationId is for a contract
   * whose operations declare errors of several shapes; what reaches no operation has none.
   */
  readonly errorBody: (error: ApiError, operationId?: string) => unknown;
  readonly onFault: (fault: Fault, res: Response) => void;
}

/** A response that isn't what the contract says. */
export class BrokenResponseError extends Error {
  override readonly name = 'BrokenResponseError';

  constructor(readonly problems: readonly Problem[]) {
    super();
  }
}
