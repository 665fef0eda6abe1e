import { readContractFile, withLocalReferences, type JsonObject } from './document.js';
import { ContractViolation, type Exchange, type Problem } from './exchange.js';
import {
  declaredAs,
  listOperations,
  matchOperation,
  UNMATCHED,
  type Operation,
} from './operations.js';
import { checkRequest, type RequestVerdict } from './request-check.js';
import { checkResponse, type ResponseVerdict } from './response-check.js';
import { schemasFor } from './schemas.js';
import { createValidator, type Validate } from './validator.js';

/** What is to be said of an exchange by the contract. */
export interface Verdict {
  /** `unmatched` where the request reached no operation. */
  readonly operationId: string;
  readonly status: number;
  readonly response: ResponseVerdict;
  /** Undefined where the request reached no operation. */
  readonly request: RequestVerdict | undefined;
  /** Everything that makes the exchange a violation; empty where nothing does. */
  readonly problems: readonly Problem[];
}

/** A contract, made ready to judge by. */
export interface JudgedContract {
  readonly root: JsonObject;
  readonly operations: readonly Operation[];
  /** The contract's schemas as its requests are held against them. */
  readonly requestSchemas: JsonObject;
  readonly request: Validate;
  readonly response: Validate;
}

const known = new Map<string, JudgedContract>();

/** Reads a contract in one file, OpenAPI 3.0 to 3.2, from a path or as parsed; each path only once. */
export function openContract(contract: string | JsonObject): JudgedContract {
  if (typeof contract !== 'string') return judged(contract);
  const opened = known.get(contract) ?? judged(readContractFile(contract));
  known.set(contract, opened);
  return opened;
}

function judged(document: JsonObject): JudgedContract {
  const root = withLocalReferences(document);
  const requestSchemas = schemasFor('request', root);
  return {
    root,
    operations: listOperations(root),
    requestSchemas,
    request: createValidator(requestSchemas),
    response: createValidator(schemasFor('response', root)),
  };
}

/**
 * Answers to a request that didn't arrive whole (RFC 9110 §15.5.9, RFC 6585 §5). They belong to no
 * operation, whatever the request line said, unless the operation declares them.
 */
const NEVER_ARRIVED = [408, 431];

/** No URI (RFC 3986 §2.1) or no request target (RFC 9112 §3.2): a broken escape, or a fragment. */
const NO_TARGET = /^[^?]*%(?![0-9A-Fa-f]{2})|#/;

export interface JudgeOptions {
  /** Where the contract's paths are, such as `/v1`. */
  readonly basePath?: string;
  readonly undeclaredErrors?: 'refuse' | 'send';
}

/** Judges an exchange by a contract. */
export function judge(
  contract: JudgedContract,
  exchange: Exchange,
  { basePath = '', undeclaredErrors = 'refuse' }: JudgeOptions = {},
): Verdict {
  const { root, operations } = contract;
  const { method, target, status } = exchange;
  const [path = ''] = target.split('?');
  const match = path.startsWith(`${basePath}/`)
    ? matchOperation(operations, method, path.slice(basePath.length))
    : undefined;
  const isUnmatched =
    match === undefined ||
    NO_TARGET.test(target) ||
    (NEVER_ARRIVED.includes(status) && declaredAs(match.operation, status) === undefined);
  if (isUnmatched) {
    const unmatched = operations.find(({ operationId }) => operationId === UNMATCHED);
    if (unmatched === undefined) throw new Error('listOperations always lists it');
    const response = checkResponse(root, unmatched, exchange, contract.response);
    // A contract that says nothing about such answers can't be broken by them.
    const isUnjudged =
      unmatched.responses.size === 0 ||
      (undeclaredErrors === 'send' && response.declared === undefined);
    const problems = isUnjudged ? [] : response.problems;
    return { operationId: UNMATCHED, status, response, request: undefined, problems };
  }
  const response = checkResponse(root, match.operation, exchange, contract.response);
  const request = checkRequest(root, match, exchange, contract.request);
  const isUnjudged =
    undeclaredErrors === 'send' && response.declared === undefined && status >= 400;
  return {
    operationId: match.operation.operationId,
    status,
    response,
    request,
    problems: [...(isUnjudged ? [] : response.problems), ...acceptedWrongly(exchange, request)],
  };
}

/** A success, given to a request that the contract doesn't allow. */
function acceptedWrongly({ status }: Exchange, { isValid, problems }: RequestVerdict): Problem[] {
  if (isValid !== false || status >= 300) return [];
  return problems.map(({ pointer, ...problem }) => ({
    ...problem,
    pointer: `(request accepted) ${pointer}`,
  }));
}

/** @throws ContractViolation where there is any */
export function refuseViolation(exchange: Exchange, { operationId, problems }: Verdict): void {
  if (problems.length > 0) throw new ContractViolation(operationId, exchange, problems);
}
