import type { operations } from '../generated/openapi.js';
import type { Principal } from './auth/token-verifier.js';
import type { OperationHandler, OperationHandlers } from 'contract-server';

/** The handler of one operation of our contract, by its operationId. */
export type Handler<Id extends keyof operations> = OperationHandler<operations[Id], Principal>;

/** One handler for each operation of our contract, none missing and none too many. */
export type Handlers = OperationHandlers<operations, Principal>;
