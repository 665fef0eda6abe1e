import type { ErrorRequestHandler, RequestHandler } from 'express';
import { createAuthenticator, type Strategies } from './authenticate.js';
import { ContractError } from './contract-error.js';
import type { ContractDocument } from './document.js';
import type { OperationHandlers } from './handler.js';
import { createOperation, declaredResponse, listOperations, type Operation } from './operation.js';
import { createPipeline, type PipelineOptions, type UntypedHandler } from './pipeline.js';
import { createReply, type ReplyOptions } from './reply.js';
import {
  createErrorHandler,
  createNotFound,
  createRouter,
  createRequestCheck,
  type PathItem,
} from './router.js';
import { createValidator } from './validator.js';

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

export interface ContractOptions<Operations, Principal> extends PipelineOptions, ReplyOptions {
  readonly document: ContractDocument;
  readonly handlers: OperationHandlers<Operations, Principal>;
  readonly strategies: Strategies;
}

/** Express middleware that serves a contract, to be mounted in this order. */
export interface ContractMiddleware {
  readonly checkRequest: RequestHandler;
  /** The contract's operations; may be mounted below a base path. */
  readonly operations: RequestHandler;
  readonly notFound: RequestHandler;
  readonly onError: ErrorRequestHandler;
}

/** What the engine itself may answer any request of an operation with. */
const ENGINE_STATUSES = [400, 406, 408, 500, 503];
const BODY_STATUSES = [413, 415];
const UNMATCHED_STATUSES = [204, 400, 404, 405, 500];

/**
 * Makes a contract, its handlers and its strategies into a service. Resolves once every operation's
 * validator is ready.
 * @throws ContractError with every problem: a missing handler, a scheme without strategy, a status
 * that the engine may answer with and the contract doesn't declare
 */
export async function serveContract<Operations, Principal>(
  options: ContractOptions<Operations, Principal>,
): Promise<ContractMiddleware> {
  const { document } = options;
  const problems: string[] = [];
  const operations = listOperations(document, problems);
  const handlers = new Map(Object.entries(options.handlers) as [string, UntypedHandler][]);
  const authenticatorOf = createAuthenticator(document, options.strategies, problems);
  checkHandlers(operations, handlers, problems);
  for (const operation of operations) checkStatuses(operation, statusesOf(operation), problems);

  const unmatched = createOperation(document, 'GET', '/', {
    operationId: 'unmatched',
    responses: document.root['x-unmatched-responses'] ?? {},
    security: [],
  });
  checkStatuses(unmatched, UNMATCHED_STATUSES, problems);

  const paths = new Map<string, PathItem>();
  const authenticates = operations.map(authenticatorOf);
  if (problems.length > 0) throw new ContractError(problems);

  for (const [index, operation] of operations.entries()) {
    const validator = await createValidator(document, operation);
    const handler = handlers.get(operation.operationId);
    const authenticate = authenticates[index];
    if (handler === undefined || authenticate === undefined)
      throw new ContractError([operation.operationId]);
    const item = paths.get(operation.pathTemplate) ?? (new Map() as PathItem);
    paths.set(operation.pathTemplate, item);
    const reply = createReply(document, operation, validator, options);
    item.set(
      operation.method,
      createPipeline(document, operation, authenticate, validator, handler, reply, options),
    );
  }
  const reply = createReply(
    document,
    unmatched,
    await createValidator(document, unmatched),
    options,
  );
  return {
    checkRequest: createRequestCheck(reply),
    operations: createRouter(paths, reply),
    notFound: createNotFound(reply),
    onError: createErrorHandler(reply),
  };
}

function statusesOf({ requestBody, security }: Operation): number[] {
  return [
    ...ENGINE_STATUSES,
    ...(requestBody === undefined ? [] : BODY_STATUSES),
    ...(security.length === 0 ? [] : [401]),
  ];
}

function checkStatuses(
  operation: Operation,
  statuses: readonly number[],
  problems: string[],
): void {
  const missing = statuses.filter((status) => declaredResponse(operation, status) === undefined);
  if (missing.length === 0) return;
  problems.push(
    `${operation.operationId}: may be answered with ${missing.join(', ')}, which it doesn't declare; ` +
      'declare the status, its range (4XX) or a default',
  );
}

function checkHandlers(
  operations: readonly Operation[],
  handlers: ReadonlyMap<string, unknown>,
  problems: string[],
): void {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  for (const id of ids) if (!handlers.has(id)) problems.push(`${id}: has no handler`);
  for (const id of handlers.keys()) {
    if (!ids.has(id)) problems.push(`handler ${id}: the contract has no such operation`);
  }
}
