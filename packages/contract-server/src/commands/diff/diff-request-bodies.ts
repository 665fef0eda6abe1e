import type { OperationChange } from './schema/change.js';
import { diffContent } from './diff-content.js';
import type { DiffedOperation } from './list-operations.js';
import type { DiffSchemas } from './schema-diff.js';

const LOCATION = 'request body';

export function diffRequestBodies(
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
): OperationChange[] {
  const was = old.requestBody;
  const is = now.requestBody;
  const change = (breaks: boolean, what: string, why: string): OperationChange[] => [
    { breaks, location: LOCATION, what, why },
  ];
  if (was === undefined) {
    if (is === undefined) return [];
    return is.required
      ? change(true, 'required body added', 'clients do not send one')
      : change(false, 'optional body added', 'clients need not send one');
  }
  if (is === undefined) {
    return change(true, 'removed', 'what clients send is passed over or refused');
  }
  return [
    ...(was.required === is.required
      ? []
      : is.required
        ? change(true, 'made required', 'requests without one are refused')
        : change(false, 'made optional', 'every request that was valid still is')),
    ...diffContent(
      'request',
      LOCATION,
      { document: old.document, content: was.content },
      { document: now.document, content: is.content },
      diffSchemas,
    ),
  ];
}
