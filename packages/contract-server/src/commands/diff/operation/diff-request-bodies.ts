import type { Effect } from '../change/change.js';
import { innerPart, type Part } from '../change/part.js';
import { diffContent } from '../message/diff-content.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import type { DiffedOperation } from './list-operations.js';

export function diffRequestBodies(
  operation: Part,
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
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
  const effect = (breaks: boolean, what: string, why: string): Effect[] => [
    { ...body, direction: 'request', breaks, what, why },
  ];
  if (was === undefined) {
    if (is === undefined) return [];
    return is.required
      ? effect(true, 'required body added', 'clients do not send one')
      : effect(false, 'optional body added', 'clients need not send one');
  }
  if (is === undefined) {
    return effect(true, 'removed', 'what clients send is passed over or refused');
  }
  return [
    ...(was.required === is.required
      ? []
      : is.required
        ? effect(true, 'made required', 'requests without one are refused')
        : effect(false, 'made optional', 'every request that was valid still is')),
    ...diffContent(
      'request',
      body,
      { document: old.document, value: was.content },
      { document: now.document, value: is.content },
      diffSchemas,
    ),
  ];
}
