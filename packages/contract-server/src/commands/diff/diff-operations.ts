import type { OperationChange } from './schema/change.js';
import { diffOutbound } from './diff-outbound.js';
import { diffParameters } from './diff-parameters.js';
import { diffRequestBodies } from './diff-request-bodies.js';
import { diffResponses } from './diff-responses.js';
import { diffSecurity } from './diff-security.js';
import { diffServers } from './diff-servers.js';
import type { DiffedOperation } from './list-operations.js';
import type { DiffSchemas } from './schema-diff.js';

/** What has changed between two operations of the same method and path. */
export function diffOperations(
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
): OperationChange[] {
  return [
    ...diffNames(old, now),
    ...diffSecurity(old, now),
    ...diffParameters(old, now, diffSchemas),
    ...diffRequestBodies(old, now, diffSchemas),
    ...diffResponses(old, now, diffSchemas),
    ...diffOutbound(
      'callbacks',
      { document: old.document, value: old.callbacks },
      { document: now.document, value: now.callbacks },
    ),
    ...(old.servers === undefined && now.servers === undefined
      ? []
      : diffServers(serversOf(old), serversOf(now))),
  ];
}

function diffNames(old: DiffedOperation, now: DiffedOperation): OperationChange[] {
  const changes: OperationChange[] = [];
  if (old.operationId !== now.operationId && old.operationId !== '') {
    changes.push({
      breaks: true,
      location: 'operationId',
      what: `${old.operationId} -> ${now.operationId === '' ? 'none' : now.operationId}`,
      why: 'generated clients call it by this name',
    });
  }
  if (now.isDeprecated && !old.isDeprecated) {
    const why = 'it works as before, but may go';
    changes.push({ breaks: false, location: 'operation', what: 'deprecated', why });
  }
  return changes;
}

function serversOf({ document, servers }: DiffedOperation) {
  return servers === undefined ? document.root : { servers };
}
