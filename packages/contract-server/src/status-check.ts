import type { ContractDocument, ResponseObject } from './document/document.js';
import type { ResponderOptions } from './message/responder.js';
import { bodyKindOf } from './operation/media-type.js';
import {
  createOperation,
  declaredResponse,
  listOperations,
  type Operation,
} from './operation/operation.js';
import { refusalStatuses } from './security/authenticate.js';
import type { LimitRate } from './security/rate-limit.js';
import type { ContractWarning } from './validation/check-schemas.js';

/** The statuses with which the engine may answer a request of any operation. */
const ENGINE_STATUSES = [400, 406, 500, 503];
/** Further ones, of an operation that takes a body. */
const BODY_STATUSES = [408, 413, 415];
/** Those of requests that reach no operation. */
const UNMATCHED_STATUSES = [204, 400, 404, 405, 500];

type StatusOptions = Pick<ResponderOptions, 'undeclaredErrors'> & {
  readonly violationStatus?: 400 | 422;
  readonly limitRate?: LimitRate | undefined;
};

/** Checks that what the engine may answer with is declared; with `send`, it only warns. */
export function checkEngineStatuses(
  operations: readonly Operation[],
  unmatched: Operation,
  { undeclaredErrors, violationStatus, limitRate }: StatusOptions,
  problems: string[],
): ContractWarning[] {
  const warnings: ContractWarning[] = [];
  function check(operation: Operation, statuses: readonly number[], declare: string): void {
    const missing = statuses.filter((status) => declaredResponse(operation, status) === undefined);
    if (missing.length === 0) return;
    const what = `may be answered with ${missing.join(', ')}, which it doesn't declare`;
    const { operationId } = operation;
    if (undeclaredErrors !== 'send') problems.push(`${operationId}: ${what}; declare ${declare}`);
    else warnings.push({ operationIds: [operationId], pointer: '', what });
  }

  for (const operation of operations) {
    const statuses = [
      ...statusesOf(operation),
      ...(violationStatus === 422 ? [422] : []),
      // Who calls an operation that needs no credentials isn't known, and isn't limited.
      ...(limitRate !== undefined && operation.security.length > 0 ? [429] : []),
    ];
    check(operation, statuses, 'the status, its range (4XX) or a default');
  }
  check(
    unmatched,
    UNMATCHED_STATUSES,
    'them in x-unmatched-responses, a member of the document that is like responses',
  );
  return warnings;
}

/** What the engine may answer with, and a contract doesn't declare. */
export interface MissingResponses {
  readonly operations: readonly {
    readonly operationId: string;
    readonly method: string;
    readonly pathTemplate: string;
    readonly statuses: readonly number[];
  }[];
  /** Statuses missing from `x-unmatched-responses`, which answers requests that reach no operation. */
  readonly unmatched: readonly number[];
}

/** Lists the responses that a contract must declare, and doesn't, before it can be served. */
export function listMissingResponses(document: ContractDocument): MissingResponses {
  const unmatched = createOperation(document, 'GET', '/', {
    responses: document.root['x-unmatched-responses'] ?? {},
  });
  const operations = listOperations(document, []).map((operation) => ({
    operationId: operation.operationId,
    method: operation.method,
    pathTemplate: operation.pathTemplate,
    statuses: statusesOf(operation).filter(
      (status) => declaredResponse(operation, status) === undefined,
    ),
  }));
  return {
    operations: operations.filter(({ statuses }) => statuses.length > 0),
    unmatched: UNMATCHED_STATUSES.filter(
      (status) => declaredResponse(unmatched, status) === undefined,
    ),
  };
}

function statusesOf({ requestBody, security }: Operation): number[] {
  return [
    ...ENGINE_STATUSES,
    ...(requestBody === undefined ? [] : BODY_STATUSES),
    ...refusalStatuses(security),
  ];
}

/** A stand-in for requests that reach no operation; `x-unmatched-responses` has its responses. */
export function createUnmatchedOperation(
  document: ContractDocument,
  { undeclaredErrors }: StatusOptions,
): Operation {
  // OPTIONS is answered with 204, which may be undeclared where errors may be.
  const undeclared: Record<string, ResponseObject> =
    undeclaredErrors === 'send' ? { '204': {} } : {};
  return createOperation(document, 'GET', '/', {
    operationId: 'unmatched',
    responses: document.root['x-unmatched-responses'] ?? undeclared,
    security: [],
  });
}

/** The media type that the contract declares for errors below HTTP, where no request exists yet. */
export function errorMediaTypeOf(document: ContractDocument): string | undefined {
  const unmatched = createUnmatchedOperation(document, {});
  const mediaTypes = [431, 408, 400].flatMap((status) =>
    Object.keys(declaredResponse(unmatched, status)?.content ?? {}),
  );
  return mediaTypes.find((mediaType) => bodyKindOf(mediaType) === 'json');
}
