import type { Direction } from '../../../schema/direction.js';
import type { Effect } from '../change/change.js';
import { innerPart, type Part } from '../change/part.js';
import { diffContent } from '../message/diff-content.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import type { DiffedOperation } from './list-operations.js';

const REASONS = {
  request: {
    demanded: 'clients do not send one',
    offered: 'clients need not send one',
    removed: 'what clients send is passed over or refused',
    required: 'requests without one are refused',
    optional: 'every request that was valid still is',
  },
  response: {
    demanded: 'clients pass over it',
    offered: 'clients pass over it',
    removed: 'clients that read it find nothing',
    required: 'clients that read it always find it',
    optional: 'clients that read it may find nothing',
  },
};

/** @param direction `response` for a request that the service sends to its clients */
export function diffRequestBodies(
  operation: Part,
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
  direction: Direction = 'request',
): Effect[] {
  const was = old.requestBody;
  const is = now.requestBody;
  const body = innerPart(
    operation,
    '/requestBody',
    'request body',
    { document: old.document, value: old.document.resolve(old.object.requestBody) },
    { document: now.document, value: now.document.resolve(now.object.requestBody) },
  );
  const isSent = direction === 'request';
  const effect = (breaks: boolean, what: string, why: keyof typeof REASONS.request): Effect[] => [
    { ...body, direction, breaks, what, why: REASONS[direction][why] },
  ];
  if (was === undefined) {
    if (is === undefined) return [];
    return is.required
      ? effect(isSent, 'required body added', 'demanded')
      : effect(false, 'optional body added', 'offered');
  }
  if (is === undefined) return effect(true, 'removed', 'removed');
  return [
    ...(was.required === is.required
      ? []
      : is.required
        ? effect(isSent, 'made required', 'required')
        : effect(!isSent, 'made optional', 'optional')),
    ...diffContent(
      direction,
      body,
      { document: old.document, value: was.content },
      { document: now.document, value: is.content },
      diffSchemas,
      isSent ? 'client' : 'service',
    ),
  ];
}
