import type { operations } from '../generated/openapi.js';
import type { HandlerResult, OperationHandler, OperationHandlers } from 'contract-server';
import type { Principal } from 'contract-server/auth';

/** The handler of one operation of our contract, by its operationId. */
export type Handler<Id extends keyof operations> = OperationHandler<operations[Id], Principal>;

/**
 * What the handler of an operation may answer. Where it is the handler's declared return type, the
 * compiler reports a mistake at the line that makes it, and in a line.
 */
export type Result<Id extends keyof operations> = HandlerResult<operations[Id]>;

/** One handler for each operation of our contract, none missing and none too many. */
export type Handlers = OperationHandlers<operations, Principal>;
