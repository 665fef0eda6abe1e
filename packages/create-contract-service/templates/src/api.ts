import type { HandlerResult, OperationHandler, OperationHandlers } from 'contract-server';
import type { Principal } from 'contract-server/auth';
import type { operations } from '../generated/openapi.js';

/** The handler of one operation of the contract, by its operationId. */
export type Handler<Id extends keyof operations> = OperationHandler<operations[Id], Principal>;

/** What the handler of an operation may answer. */
export type Result<Id extends keyof operations> = HandlerResult<operations[Id]>;

/** One handler for each operation of the contract, none missing and none too many. */
export type Handlers = OperationHandlers<operations, Principal>;

/** The handlers of some of the operations. */
export type HandlersOf<Id extends keyof Handlers> = Pick<Handlers, Id>;
