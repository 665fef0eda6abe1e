import type { ContractNote } from './contract-note.js';
import type { ResponseObject } from './document/document.js';
import type { ReplyOptions } from './message/reply.js';
import { declaredResponse, type Operation } from './operation/operation.js';
import { refusalStatuses } from './security/authenticate.js';

/** What the engine itself may answer any request of an operation with. */
const ENGINE_STATUSES = [400, 406, 500, 503];
/** And one whose body it reads. */
const BODY_STATUSES = [408, 413, 415];
export const UNMATCHED_STATUSES = [204, 400, 404, 405, 500];

export function statusesOf({ requestBody, security }: Operation): number[] {
  return [
    ...ENGINE_STATUSES,
    ...(requestBody === undefined ? [] : BODY_STATUSES),
    ...refusalStatuses(security),
  ];
}

/** Holds the statuses that the engine may answer with against those that an operation declares. */
export function createStatusCheck(
  { undeclaredErrors }: ReplyOptions,
  problems: string[],
  notes: ContractNote[],
): (operation: Operation, statuses: readonly number[], declare?: string) => void {
  return (operation, statuses, declare = 'the status, its range (4XX) or a default') => {
    const missing = statuses.filter((status) => declaredResponse(operation, status) === undefined);
    if (missing.length === 0) return;
    const what = `may be answered with ${missing.join(', ')}, which it doesn't declare`;
    const { operationId } = operation;
    if (undeclaredErrors === 'send') notes.push({ operationIds: [operationId], pointer: '', what });
    else {
      problems.push(`${operationId}: ${what}; declare ${declare}`);
    }
  };
}

/** Where errors may be sent undeclared, so may the one answer to an unmatched request that is none. */
export function undeclaredUnmatched({
  undeclaredErrors,
}: ReplyOptions): Record<string, ResponseObject> {
  return undeclaredErrors === 'send' ? { '204': {} } : {};
}
