import type { ErrorRequestHandler, RequestHandler } from 'express';
import { unforeseen } from './api-error.js';
import { createAuthenticator, type Authenticate } from './security/authenticate.js';
import { ContractError } from './contract-error.js';
import { checkSchemas, type ContractNote } from './contract-note.js';
import type { ContractDocument } from './document/document.js';
import type { OperationHandlers } from './handler.js';
import { createLazyPipeline } from './lazy-pipeline.js';
import { createOperation, listOperations, type Operation } from './operation/operation.js';
import { createParameterReader, type ReadParameters } from './parameters/parameters.js';
import { locateProblems } from './problem-places.js';
import { checkPaths } from './routing/path-check.js';
import { createPipeline, type PipelineOptions, type UntypedHandler } from './pipeline.js';
import { createReply, type ReplyOptions } from './message/reply.js';
import {
  createErrorHandler,
  createNotFound,
  createRequestCheck,
  createRouter,
  type PathItem,
  type Pipeline,
} from './routing/router.js';
import { securityQueryNames } from './security/security-scheme.js';
import type { Strategies } from './security/strategy.js';
import {
  createStatusCheck,
  statusesOf,
  undeclaredUnmatched,
  UNMATCHED_STATUSES,
} from './status-check.js';
import { createValidatorLookup, type OperationValidator } from './validation/validator.js';

export interface ContractOptions<Operations, Principal> extends PipelineOptions, ReplyOptions {
  readonly document: ContractDocument;
  readonly handlers: OperationHandlers<Operations, Principal>;
  readonly strategies: Strategies;
  /**
   * The digest that `contract-server generate` has written beside the types that the handlers were
   * compiled with: a document with another one is refused. Not checked where it is left out.
   */
  readonly contractDigest?: string;
  /** Gets what the contract says and the service doesn't hold, at boot. */
  readonly onNote?: (note: ContractNote) => void;
}

/** Express middleware that serves a contract, to be mounted in this order. */
export interface ContractMiddleware {
  /** The contract's operations; may be mounted below a base path. */
  readonly operations: RequestHandler;
  /** Refuses what no operation would take either; what else the app serves comes after it. */
  readonly checkRequest: RequestHandler;
  readonly notFound: RequestHandler;
  readonly onError: ErrorRequestHandler;
}

/** Up to how many operations have their validators built at boot; each takes some ten milliseconds. */
const MAX_BUILT_AT_BOOT = 25;

/**
 * Makes a contract, its handlers and its strategies into a service. Resolves once every operation's
 * validator is ready; those of a large contract are built when their operation is first called.
 * @throws ContractError with every problem: a missing handler, a scheme without strategy, a status
 * that the engine may answer with and the contract doesn't declare
 */
export async function serveContract<Operations, Principal>(
  options: ContractOptions<Operations, Principal>,
): Promise<ContractMiddleware> {
  try {
    return await createMiddleware(options);
  } catch (error) {
    if (error instanceof ContractError) throw await locateProblems(options.document, error);
    throw error;
  }
}

async function createMiddleware<Operations, Principal>(
  options: ContractOptions<Operations, Principal>,
): Promise<ContractMiddleware> {
  const { document } = options;
  const problems: string[] = [];
  const { contractDigest } = options;
  if (contractDigest !== undefined && contractDigest !== document.digest) {
    problems.push(
      'the generated types are of another contract: run "npx contract-server generate", and compile again',
    );
  }
  const operations = listOperations(document, problems);
  checkPaths(operations, problems);
  const handlerOf = createHandlerLookup(operations, options.handlers, problems);
  const authenticatorOf = createAuthenticator(document, options.strategies, problems);
  const notes: ContractNote[] = [];
  const checkStatuses = createStatusCheck(options, problems, notes);
  const parts = operations.map((operation) => {
    checkStatuses(operation, statusesOf(operation));
    return {
      operation,
      handler: handlerOf(operation),
      authenticate: authenticatorOf(operation),
      readParameters: createParameterReader(
        document,
        operation,
        problems,
        securityQueryNames(document, operation),
      ),
    };
  });
  const unmatched = createOperation(document, 'GET', '/', {
    operationId: 'unmatched',
    responses: document.root['x-unmatched-responses'] ?? undeclaredUnmatched(options),
    security: [],
  });
  checkStatuses(
    unmatched,
    UNMATCHED_STATUSES,
    'them in x-unmatched-responses, a member of the document that is like responses',
  );
  notes.push(...checkSchemas(document, [...operations, unmatched], problems));
  if (problems.length > 0) throw new ContractError([...new Set(problems)]);
  for (const note of notes) options.onNote?.(note);

  const validatorOf = createValidatorLookup(document, [unmatched, ...operations]);
  const reply = createReply(document, unmatched, await validatorOf(unmatched), options);
  const paths = new Map<string, PathItem>();
  for (const part of parts) {
    const { method, pathTemplate, operationId } = part.operation;
    const item = paths.get(pathTemplate) ?? (new Map() as PathItem);
    const pipeline =
      parts.length <= MAX_BUILT_AT_BOOT
        ? await build(part, validatorOf, options)
        : createLazyPipeline(
            () => build(part, validatorOf, options),
            (error, req, res, _params, giveUp) => {
              options.onFault({ operationId, error, status: 500 }, res);
              reply.refuse(req, res, unforeseen(undefined), giveUp);
            },
          );
    paths.set(pathTemplate, item.set(method, pipeline));
  }
  return {
    operations: createRouter(paths, reply),
    checkRequest: createRequestCheck(reply),
    notFound: createNotFound(reply),
    onError: createErrorHandler(reply),
  };
}

interface OperationParts {
  readonly operation: Operation;
  readonly handler: UntypedHandler;
  readonly authenticate: Authenticate;
  readonly readParameters: ReadParameters;
}

async function build(
  { operation, ...parts }: OperationParts,
  validatorOf: (operation: Operation) => Promise<OperationValidator>,
  options: PipelineOptions & ReplyOptions & { readonly document: ContractDocument },
): Promise<Pipeline> {
  const { document } = options;
  const validator = await validatorOf(operation);
  const reply = createReply(document, operation, validator, options);
  return createPipeline(document, operation, { ...parts, validator, reply }, options);
}

function createHandlerLookup(
  operations: readonly Operation[],
  supplied: object,
  problems: string[],
): (operation: Operation) => UntypedHandler {
  const handlers = new Map<string, UntypedHandler>(Object.entries(supplied));
  const ids = new Set(operations.map(({ operationId }) => operationId));
  for (const id of handlers.keys()) {
    if (!ids.has(id)) problems.push(`handler ${id}: the contract has no such operation`);
  }
  return ({ operationId }) => {
    const handler = handlers.get(operationId);
    if (handler !== undefined) return handler;
    problems.push(`${operationId}: has no handler`);
    // Never served, since the problem stops the boot. Were it called, it would refuse.
    return () => Promise.reject(new Error(`${operationId} has no handler`));
  };
}
