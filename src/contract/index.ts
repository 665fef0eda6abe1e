export { ApiError, EngineCode } from './api-error.js';
export type { Strategies } from './security/strategy.js';
export { ContractError } from './contract-error.js';
export type { ContractNote } from './contract-note.js';
export type { ContractDocument } from './document/document.js';
export type {
  HandlerRequest,
  HandlerResponse,
  OperationHandler,
  OperationHandlers,
} from './handler.js';
export type { ExchangeLocals } from './exchange-locals.js';
export { getHeader } from './message/header-lines.js';
export { parseContract, readContract } from './document/read-contract.js';
export type { Fault } from './message/reply.js';
export { takeOriginForm } from './routing/request-target.js';
export { serveContract, type ContractMiddleware, type ContractOptions } from './serve.js';
