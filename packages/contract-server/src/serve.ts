import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ContractError, describeProblem, type ContractProblem } from './document/contract-error.js';
import type { ContractWarning } from './document/contract-warning.js';
import type { ContractDocument } from './document/document.js';
import type { TextFormats } from './document/text-format.js';
import type { OperationHandlers } from './handler.js';
import { OpenStreams } from './items/open-streams.js';
import { maxBodyBytesOf } from './message/body-limits.js';
import { createRequestForms } from './message/form/request-forms.js';
import { createResponder } from './message/responder.js';
import { listOperations, nameProblems, type Operation } from './operation/operation.js';
import { locateProblems } from './operation/problem-places.js';
import { checkOperations, type OperationCheck } from './operation-check.js';
import { createParameterReader } from './parameters/parameters.js';
import { createHandlerLookup } from './pipeline/handler-request.js';
import { createPipelines, type PipelineOptions, type WithStreams } from './pipeline/pipelines.js';
import { refusalWarnings, refusedOperation } from './pipeline/refused-operation.js';
import { checkEngineStatuses, createUnmatchedOperation } from './pipeline/status-check.js';
import { createErrorHandler, createNotFound } from './routing/fallbacks.js';
import { createRequestCheck, createRouter } from './routing/router.js';
import { createAuthenticator } from './security/authenticate.js';
import { securityQueryNames } from './security/security-scheme.js';
import type { Strategies } from './security/strategy.js';
import { checkFormats } from './validation/normalise/formats.js';
import { checkSchemas } from './validation/schema-check.js';
import { createValidatorLookup } from './validation/validator.js';

export interface ContractOptions<Operations, Principal> extends PipelineOptions {
  readonly handlers: OperationHandlers<Operations, Principal>;
  /** What this service knows of formats of texts, by their names in the contract. */
  readonly formats?: TextFormats;
  readonly strategies: Strategies;
  /**
   * Serves a contract that others have published, and that can't be edited: errors that it doesn't
   * declare are sent (`undeclaredErrors: 'send'`), and of operations that can't be served, only these are
   * refused (`unsupported: 'refuse-operations'`), unless those two say otherwise. An operation without
   * operationId has its method and path for a name.
   */
  readonly asPublished?: boolean;
  /**
   * What becomes of a contract with operations that can't be served: it is refused at boot, which is the
   * default, or those operations alone are, which then answer every request with 501.
   */
  readonly unsupported?: 'refuse' | 'refuse-operations';
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
  /** Of the largest body that an operation takes. */
  readonly maxBodyBytes: number;
}

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

async function createMiddleware<Operations, Principal>({
  asPublished = false,
  undeclaredErrors = asPublished ? 'send' : 'refuse',
  unsupported = asPublished ? 'refuse-operations' : 'refuse',
  ...others
}: WithStreams<ContractOptions<Operations, Principal>>): Promise<ContractMiddleware> {
  const { contractDigest, formats } = others;
  const document = formats === undefined ? others.document : others.document.withFormats(formats);
  const options = { ...others, document, undeclaredErrors };
  const problems: string[] = [];
  const report: Report = (problem) => problems.push(describeProblem(problem));
  checkFormats(document.formats, problems);
  if (contractDigest !== undefined && contractDigest !== document.digest) {
    problems.push(
      'the generated types are of another contract: run "npx contract-server generate", and compile again',
    );
  }
  const all = listOperations(document);
  const unmatched = createUnmatchedOperation(document, options);
  const check = checkOperations(document, all);
  const { operations, refused } =
    unsupported === 'refuse'
      ? refuseContract(document, all, check, problems)
      : refuseOperations(document, all, check);

  const handlerOf = createHandlerLookup(all, options.handlers, problems);
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
    ...createReaders(document, operation, report),
  }));
  const warnings = [
    ...checkEngineStatuses({ operations, refused, unmatched }, options, problems),
    ...check.warnings,
    ...checkSchemas(document, [unmatched], (_operation, problem) => report(problem)),
    ...[...check.unsupported].flatMap(([operation, reasons]) =>
      refusalWarnings(operation, reasons),
    ),
  ];
  if (problems.length > 0) throw new ContractError([...new Set(problems)]);
  for (const warning of warnings) options.onWarning?.(warning);

  const validatorOf = await createValidatorLookup(
    document,
    [unmatched, ...operations, ...refused],
    options.warmUp,
  );
  const responder = createResponder(document, unmatched, await validatorOf(unmatched), options);
  const paths = await createPipelines({ parts, refused, responder, validatorOf }, options);
  return {
    operations: createRouter(paths, responder),
    checkRequest: createRequestCheck(responder),
    notFound: createNotFound(responder),
    onError: createErrorHandler(responder),
    maxBodyBytes: maxBodyBytesOf(operations, options.limits),
  };
}

type Report = (problem: ContractProblem) => unknown;

interface SortedOperations {
  readonly operations: readonly Operation[];
  /** The operations that can't be served, and are answered with 501. */
  readonly refused: readonly Operation[];
}

/** Reports what can't be served; its operations are looked at all the same, for all that is wrong with them. */
function refuseContract(
  document: ContractDocument,
  all: readonly Operation[],
  { unsupported }: OperationCheck,
  problems: string[],
): SortedOperations {
  const names = nameProblems(document);
  problems.push(...names.values(), ...[...unsupported.values()].flat().map(describeProblem));
  return { operations: all.filter(({ operationId }) => !names.has(operationId)), refused: [] };
}

function refuseOperations(
  document: ContractDocument,
  all: readonly Operation[],
  { unsupported }: OperationCheck,
): SortedOperations {
  const refused = all.filter((operation) => unsupported.has(operation));
  return {
    operations: all.filter((operation) => !unsupported.has(operation)),
    refused: refused.map((operation) => refusedOperation(document, operation)),
  };
}

function createReaders(document: ContractDocument, operation: Operation, report: Report) {
  const queryNames = securityQueryNames(document, operation);
  return {
    readParameters: createParameterReader(document, operation, report, queryNames),
    forms: createRequestForms(document, operation, report),
  };
}
