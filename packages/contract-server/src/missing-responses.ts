import type { ContractDocument } from './document/document.js';
import { createOperation, declaredResponse, listOperations } from './operation/operation.js';
import { statusesOf, UNMATCHED_STATUSES } from './status-check.js';

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
