import type { ContractDocument } from '../../index.js';
import type { Change, OperationEffect } from './change.js';
import { diffOperations } from './diff-operations.js';
import { diffOutbound, listOutbound, pairOutbound } from './diff-outbound.js';
import { groupChanges } from './group-changes.js';
import { listOperations, type DiffedOperation } from './list-operations.js';
import { createSchemaDiff } from './schema-diff.js';

/**
 * What has changed between two contracts for their clients, each change once; nothing for what they
 * can't notice.
 * @throws ContractError where a reference leads nowhere
 */
export function diffContracts(old: ContractDocument, now: ContractDocument): Change[] {
  const before = listOperations(old);
  const after = listOperations(now);
  const diffSchemas = createSchemaDiff();
  return groupChanges([
    ...[...before].flatMap(([route, operation]): OperationEffect[] => {
      const same = after.get(route);
      return same === undefined
        ? [wholeOperation(operation, true)]
        : diffOperations(operation, same, diffSchemas).map((effect) => ({
            ...effect,
            operation: same,
          }));
    }),
    ...[...after]
      .filter(([route]) => !before.has(route))
      .map(([, operation]) => wholeOperation(operation, false)),
    ...pairOutbound(webhooksOf(old), webhooksOf(now)).flatMap((pair) => {
      const { name, is, was } = pair;
      const operation = { operationId: name, route: '', place: (is ?? was)?.place ?? '' };
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

function webhooksOf(document: ContractDocument) {
  return listOutbound('webhook', { document, value: Reflect.get(document.root, 'webhooks') });
}
