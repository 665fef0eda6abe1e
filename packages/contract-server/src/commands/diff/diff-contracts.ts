import type { ContractDocument } from '../../index.js';
import type { Change } from './schema/change.js';
import { diffOperations } from './diff-operations.js';
import { diffOutbound } from './diff-outbound.js';
import { diffServers } from './diff-servers.js';
import { listOperations, type DiffedOperation } from './list-operations.js';
import { createSchemaDiff } from './schema-diff.js';

/**
 * What has changed between two contracts for their clients; nothing for what they can't notice.
 * @throws ContractError where a reference leads nowhere
 */
export function diffContracts(old: ContractDocument, now: ContractDocument): Change[] {
  const before = listOperations(old);
  const after = listOperations(now);
  const diffSchemas = createSchemaDiff();
  return [
    ...[...before].flatMap(([route, operation]) => {
      const same = after.get(route);
      return same === undefined
        ? [wholeOperation(operation, true)]
        : diffOperations(operation, same, diffSchemas).map((change) => ({
            ...change,
            operation: nameOf(same),
          }));
    }),
    ...[...after]
      .filter(([route]) => !before.has(route))
      .map(([, operation]) => wholeOperation(operation, false)),
    ...[
      ...diffServers(old.root, now.root),
      ...diffOutbound('webhooks', webhooksOf(old), webhooksOf(now)),
    ].map((change) => ({ ...change, operation: '' })),
  ];
}

function wholeOperation(operation: DiffedOperation, isRemoved: boolean): Change {
  return {
    breaks: isRemoved,
    operation: nameOf(operation),
    location: 'operation',
    what: isRemoved ? 'removed' : 'added',
    why: isRemoved ? 'clients that call it find nothing' : 'nobody calls it yet',
  };
}

function nameOf({ method, pathTemplate }: DiffedOperation): string {
  return `${method} ${pathTemplate}`;
}

function webhooksOf(document: ContractDocument) {
  return { document, value: Reflect.get(document.root, 'webhooks') as unknown };
}
