import type { ErrorRequestHandler, RequestHandler } from 'express';
import { unforeseen, type ApiError } from './api-error.js';
import { createAuthenticator, type Authenticate } from './security/authenticate.js';
import { checkEngineStatuses, createUnmatchedOperation } from './status-check.js';
import { ContractError } from './contract-error.js';
import { checkSchemas, type ContractWarning } from './validation/check-schemas.js';
import type { ContractDocument } from './document/document.js';
import type { OperationHandlers } from './handler.js';
import { createExplain } from './explain.js';
import { OpenStreams } from './items/open-streams.js';
import { createLazyPipeline } from './lazy-pipeline.js';
import { listOperations, type Operation } from './operation/operation.js';
import { requestHeaders } from './operation/request-headers.js';
import { createParameterReader, type ReadParameters } from './parameters/parameters.js';
import { locateProblems } from './problem-places.js';
import { checkPaths } from './routing/path-check.js';
import {
  createHandlerLookup,
  createHandlerRequests,
  type UntypedHandler,
} from './handler-request.js';
import type { BodyLimits } from './message/body.js';
import { createRequestReader } from './message/request.js';
import { createPipeline } from './pipeline.js';
import { createResponder, type ResponderOptions } from './message/responder.js';
import { createErrorHandler, createNotFound } from './routing/fallbacks.js';
import {
  createRequestCheck,
  createRouter,
  type PathItem,
  type Pipeline,
} from './routing/router.js';
import { securityQueryNames } from './security/security-scheme.js';
import type { LimitRate } from './security/rate-limit.js';
import type { Strategies } from './security/strategy.js';
import { createValidatorLookup, type OperationValidator } from './validation/validator.js';

/** The options of every operation's pipeline. */
interface PipelineOptions extends ResponderOptions {
  readonly document: ContractDocument;
  readonly limits: BodyLimits;
  /** The status of a request that its schemas refuse; 400 where it is left out. */
  readonly violationStatus?: 400 | 422;
  /** Refuses callers that make too many requests; left out, nobody is. */
  readonly limitRate?: LimitRate | undefined;
  /** Refuses every request while it returns an error, as when the service is stopping. */
  readonly checkAvailable?: () => ApiError | undefined;
}

type WithStreams<Options> = Options & { readonly streams: OpenStreams };

export interface ContractOptions<Operations, Principal> extends PipelineOptions {
  readonly handlers: OperationHandlers<Operations, Principal>;
  readonly strategies: Strategies;
  /**
   * The realm of the engine's own challenges (RFC 9110 §11.5). It should be that of the strategies, since
   * to a client two realms are two places to log in at. Left out, each scheme's name.
   */
  readonly realm?: string;
  /**
   * The digest that `contract-server generate` has written beside the types that the handlers were
   * compiled with: a document with another one is refused. Not checked where it is left out.
   */
  readonly contractDigest?: string;
  /** Gets what the contract says and the service doesn't hold, at boot. */
  readonly onWarning?: (warning: ContractWarning) => void;
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

/** With more operations than this, validators are built when first needed; each takes some ten milliseconds. */
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
    return await createMiddleware({ streams: new OpenStreams(), ...options });
  } catch (error) {
    if (error instanceof ContractError) throw await locateProblems(options.document, error);
    throw error;
  }
}

async function createMiddleware<Operations, Principal>(
  options: WithStreams<ContractOptions<Operations, Principal>>,
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
  const unmatched = createUnmatchedOperation(document, options);
  checkPaths(operations, problems);
  const handlerOf = createHandlerLookup(operations, options.handlers, problems);
  const authenticatorOf = createAuthenticator(
    document,
    options.strategies,
    problems,
    options.realm,
  );
  const parts = operations.map((operation) => ({
    operation,
    handler: handlerOf(operation),
    authenticate: authenticatorOf(operation),
    readParameters: createParameterReader(
      document,
      operation,
      problems,
      securityQueryNames(document, operation),
    ),
  }));
  const warnings = [
    ...checkEngineStatuses(operations, unmatched, options, problems),
    ...checkSchemas(document, [...operations, unmatched], problems),
  ];
  if (problems.length > 0) throw new ContractError([...new Set(problems)]);
  for (const warning of warnings) options.onWarning?.(warning);

  const validatorOf = createValidatorLookup(document, [unmatched, ...operations]);
  const responder = createResponder(document, unmatched, await validatorOf(unmatched), options);
  const paths = new Map<string, PathItem>();
  for (const part of parts) {
    const { method, pathTemplate, operationId } = part.operation;
    const item = paths.get(pathTemplate) ?? (new Map() as PathItem);
    const pipeline =
      parts.length <= MAX_BUILT_AT_BOOT
        ? await build(part, validatorOf, options)
        : createLazyPipeline(
            () => build(part, validatorOf, options),
            async (error, req, res) => {
              options.onFault({ operationId, error, status: 500 }, res);
              await responder.refuse(req, res, unforeseen(undefined));
            },
          );
    paths.set(
      pathTemplate,
      item.set(method, { pipeline, requestHeaders: requestHeaders(document, part.operation) }),
    );
  }
  return {
    operations: createRouter(paths, responder),
    checkRequest: createRequestCheck(responder),
    notFound: createNotFound(responder),
    onError: createErrorHandler(responder),
  };
}

interface OperationParts {
  readonly operation: Operation;
  readonly handler: UntypedHandler;
  readonly authenticate: Authenticate;
  readonly readParameters: ReadParameters;
}

async function build(
  { operation, readParameters, ...parts }: OperationParts,
  validatorOf: (operation: Operation) => Promise<OperationValidator>,
  options: WithStreams<PipelineOptions>,
): Promise<Pipeline> {
  const { document, limits, streams, checkAvailable = () => undefined } = options;
  const validator = await validatorOf(operation);
  return createPipeline({
    ...parts,
    operation,
    limitRate: options.limitRate,
    checkAvailable,
    validator,
    explain: createExplain(document, operation),
    readRequest: createRequestReader(operation, readParameters, limits),
    createHandlerRequest: createHandlerRequests(document, operation, streams),
    responder: createResponder(document, operation, validator, options),
    violationStatus: options.violationStatus,
  });
}
