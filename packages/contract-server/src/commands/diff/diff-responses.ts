import type { ResponseObject } from '../../document/document.js';
import type { OperationChange } from './schema/change.js';
import { diffContent } from './diff-content.js';
import { diffHeaders } from './diff-headers.js';
import type { DiffedOperation } from './list-operations.js';
import type { DiffSchemas } from './schema-diff.js';

/** The responses of an operation, by status. */
export function diffResponses(
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
): OperationChange[] {
  return [...new Set([...old.responses.keys(), ...now.responses.keys()])].flatMap((status) => {
    const location = `response ${status}`;
    const was = covering(old, status);
    const is = covering(now, status);
    if (was === undefined) return [added(status, location)];
    if (is === undefined) return [removed(status, location, now)];
    const content = ({ document }: DiffedOperation, response: ResponseObject) => ({
      document,
      content: Object.entries(response.content ?? {}),
    });
    return [
      ...diffContent('response', location, content(old, was), content(now, is), diffSchemas),
      ...diffHeaders(
        location,
        { document: old.document, headers: was.headers ?? {} },
        { document: now.document, headers: is.headers ?? {} },
        diffSchemas,
      ),
    ];
  });
}

/** What a contract says of a status: of itself, else of its range, else of all others (§4.8.16). */
function covering({ responses }: DiffedOperation, status: string): ResponseObject | undefined {
  const range = `${status.slice(0, 1)}XX`;
  return responses.get(status) ?? responses.get(range) ?? responses.get('default');
}

function isError(status: string): boolean {
  return /^[45]/.test(status) || status === 'default';
}

function added(status: string, location: string): OperationChange {
  return {
    breaks: !isError(status),
    location,
    what: 'added',
    why: isError(status)
      ? 'clients take an error that they do not know for one of its class (RFC 9110 §15)'
      : 'clients do not know this kind of success',
  };
}

function removed(status: string, location: string, now: DiffedOperation): OperationChange {
  const isLast = !isError(status) && [...now.responses.keys()].every(isError);
  return {
    breaks: isLast,
    location,
    what: 'removed',
    why: isLast ? 'no success is left' : 'clients get nothing that they were not told of',
  };
}
