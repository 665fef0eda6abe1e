import type { Effect } from '../change/change.js';
import { pairByKey } from '../change/pair-by-key.js';
import { deprecated, RENAMED, type Part } from '../change/part.js';
import { commonPlace } from '../change/place.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import { diffOutbound, listCallbacks } from './diff-outbound.js';
import { diffParameters } from './diff-parameters.js';
import { diffRequestBodies } from './diff-request-bodies.js';
import { diffResponses } from './diff-responses.js';
import { diffSecurity } from './diff-security.js';
import { diffServers } from './diff-servers.js';
import type { DiffedOperation } from './list-operations.js';

/** What has changed between two operations of the same method and path. */
export function diffOperations(
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
): Effect[] {
  const whole: Part = {
    location: 'operation',
    definition: commonPlace(
      { document: old.document, value: old.object },
      { document: now.document, value: now.object },
    ),
  };
  const isDeprecated = now.object.deprecated === true && old.object.deprecated !== true;
  return [
    ...diffNames(old, now),
    ...(isDeprecated ? [deprecated(whole)] : []),
    ...diffServers(old, now),
    ...diffSecurity(old, now),
    ...diffParameters(whole, old, now, diffSchemas),
    ...diffRequestBodies(whole, old, now, diffSchemas),
    ...diffResponses(whole, old, now, diffSchemas),
    ...pairByKey(callbacksOf(old), callbacksOf(now)).flatMap((pair) =>
      diffOutbound(pair, diffSchemas),
    ),
  ];
}

function diffNames(old: DiffedOperation, now: DiffedOperation): Effect[] {
  const { operationId: was } = old.object;
  const { operationId: is } = now.object;
  if (was === undefined || was === is) return [];
  const what = `${was} -> ${is ?? 'none'}`;
  return [{ breaks: false, location: 'operationId', what, why: RENAMED }];
}

function callbacksOf({ document, object }: DiffedOperation) {
  return listCallbacks({ document, value: object.callbacks });
}
