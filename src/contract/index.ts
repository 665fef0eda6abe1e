export { ApiError, EngineCode } from './api-error.js';
export type { Strategies } from './authenticate.js';
export { ContractError } from './contract-error.js';
export { readContract, parseContract, type ContractDocument } from './document.js';
export type {
  HandlerRequest,
  HandlerResponse,
  OperationHandler,
  OperationHandlers,
} from './handler.js';
export type { ExchangeLocals } from './pipeline.js';
export type { Fault } from './reply.js';
export { serveContract, type ContractMiddleware, type ContractOptions } from './serve.js';
