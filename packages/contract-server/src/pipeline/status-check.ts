import type { ContractWarning } from '../document/contract-warning.js';
import type { ContractDocument, ResponseObject } from '../document/document.js';
import type { ResponderOptions } from '../message/responder.js';
import { bodyKindOf, sendableTypes } from '../operation/media-type.js';
import {
  createOperation,
  declaredResponse,
  listOperations,
  type Operation,
} from '../operation/operation.js';
import { refusalStatuses } from '../security/authenticate.js';
import type { LimitRate } from '../security/rate-limit.js';
import { NOT_IMPLEMENTED } from './refused-operation.js';

/** The statuses with which the engine may answer a request of any operation. */
const ENGINE_STATUSES = [400, 406, 500, 503];
/** Further ones, of an operation that takes a body. */
const BODY_STATUSES = [408, 413, 415];
/** The statuses of requests that reach no operation. */
const UNMATCHED_STATUSES = [204, 400, 404, 405, 500];

type StatusOptions = Pick<ResponderOptions, 'undeclaredErrors'> & {
  readonly violationStatus?: 400 | 422;
  readonly limitRate?: LimitRate | undefined;
};

interface CheckedOperations {
  readonly operations: readonly Operation[];
  /** The operations that can't be served. */
  readonly refused: readonly Operation[];
  /** Stands for the requests that reach none of them. */
  readonly unmatched: Operation;
}

/** Checks that what the engine may answer with is declared; with `send`, it only warns. */
export function checkEngineStatuses(
  { operations, refused, unmatched }: CheckedOperations,
  { undeclaredErrors, violationStatus, limitRate }: StatusOptions,
  problems: string[],
): ContractWarning[] {
  const missing = operations
    .map((operation) =>
      missingOf(operation, [
        ...statusesOf(operation),
        ...(violationStatus === 422 ? [422] : []),
        // Who calls an operation that needs no credentials isn't known, and isn't limited.
        ...(limitRate !== undefined && operation.security.length > 0 ? [429] : []),
      ]),
    )
    .filter(({ statuses }) => statuses.length > 0);
  const unmatchedStatuses = missingOf(unmatched, UNMATCHED_STATUSES).statuses;
  if (undeclaredErrors === 'send') {
    const all = new Set(missing.flatMap(({ statuses }) => statuses));
    const ids = missing.map(({ operation }) => operation.operationId);
    return [
      ...warningOf(ids, all, 'an operation'),
      ...warningOf([unmatched.operationId], new Set(unmatchedStatuses), 'x-unmatched-responses'),
    ];
  }
  const undeclared = (statuses: readonly number[]): string =>
    `may be answered with ${statuses.join(', ')}, which it doesn't declare; declare`;
  const refusals = refused.map((one) => missingOf(one, [NOT_IMPLEMENTED]));
  for (const { operation, statuses } of [...missing, ...refusals]) {
    if (statuses.length === 0) continue;
    problems.push(
      `${operation.operationId}: ${undeclared(statuses)} the status, its range (4XX) or a default`,
    );
  }
  if (unmatchedStatuses.length > 0) {
    problems.push(
      `${unmatched.operationId}: ${undeclared(unmatchedStatuses)} them in x-unmatched-responses, a member of the document that is like responses`,
    );
  }
  return [];
}

function missingOf(operation: Operation, wanted: readonly number[]) {
  const statuses = wanted.filter((status) => declaredResponse(operation, status) === undefined);
  return { operation, statuses };
}

function warningOf(
  operationIds: readonly string[],
  statuses: ReadonlySet<number>,
  declares: string,
): ContractWarning[] {
  if (statuses.size === 0) return [];
  const list = [...statuses].sort((a, b) => a - b).join(', ');
  const what = `the engine's answers ${list} are sent unchecked where ${declares} doesn't declare them`;
  return [{ operationIds, pointer: '', what }];
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
  const operations = listOperations(document).map((operation) => ({
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
  const declared = document.root['x-unmatched-responses'] ?? {};
  const declaring = (responses: Record<string, ResponseObject>): Operation =>
    createOperation(document, 'GET', '/', { operationId: 'unmatched', responses, security: [] });
  // OPTIONS is answered with 204, which may be undeclared where errors may be. It has no content
  // (RFC 9110 §15.3.5), so what a default or a range says of content doesn't hold for it.
  const isCovered =
    undeclaredErrors === 'send' || declaredResponse(declaring(declared), 204) !== undefined;
  return declaring(isCovered ? { '204': {}, ...declared } : declared);
}

/** The media type that the contract declares for errors below HTTP, where no request exists yet. */
export function errorMediaTypeOf(document: ContractDocument): string | undefined {
  const unmatched = createUnmatchedOperation(document, {});
  const mediaTypes = [431, 408, 400].flatMap((status) =>
    Object.keys(declaredResponse(unmatched, status)?.content ?? {}).flatMap(sendableTypes),
  );
  return mediaTypes.find((mediaType) => bodyKindOf(mediaType) === 'json');
}
