import type { ContractDocument } from '../../document/document.js';
import { groupChanges, type Change, type OperationEffect } from './change/change.js';
import { pairByKey } from './change/pair-by-key.js';
import { diffOperations } from './operation/diff-operations.js';
import { diffOutbound, listWebhooks } from './operation/diff-outbound.js';
import { listOperations, type DiffedOperation } from './operation/list-operations.js';
import { createSchemaDiff } from './schema/diff-schemas.js';

/**
 * What has changed between two contracts for their clients, each change once; nothing for what they
 * can't notice.
 * @throws ContractError where a reference leads nowhere
 */
export function diffContracts(old: ContractDocument, now: ContractDocument): Change[] {
  const diffSchemas = createSchemaDiff();
  const operations = pairByKey(listOperations(old), listOperations(now));
  const webhooks = pairByKey(listWebhooks(old), listWebhooks(now));
  return groupChanges([
    ...operations.flatMap(({ was, is }): OperationEffect[] => {
      if (was !== undefined && is !== undefined) {
        return diffOperations(was, is, diffSchemas).map((effect) => ({ ...effect, operation: is }));
      }
      return [was, is].flatMap((one) =>
        one === undefined ? [] : [wholeOperation(one, is === undefined)],
      );
    }),
    ...webhooks.flatMap((pair) => {
      const { key: operationId, is, was } = pair;
      const operation = { operationId, route: '', place: (is ?? was)?.place ?? '' };
      return diffOutbound(pair, diffSchemas).map((effect) => ({ ...effect, operation }));
    }),
  ]);
}

function wholeOperation(operation: DiffedOperation, isRemoved: boolean): OperationEffect {
  return {
    breaks: isRemoved,
    operation,
    location: 'operation',
    what: isRemoved ? 'removed' : 'added',
    why: isRemoved ? 'clients that call it find nothing' : 'nobody calls it yet',
  };
}
