import type { ResponseObject } from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import type { Effect } from '../change/change.js';
import { innerPart, type Part } from '../change/part.js';
import type { Located } from '../change/place.js';
import { diffContent } from '../message/diff-content.js';
import { diffHeaders } from '../message/diff-headers.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import type { DiffedOperation } from './list-operations.js';

/** The responses of an operation, by status. */
export function diffResponses(
  operation: Part,
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
): Effect[] {
  return [...new Set([...old.responses.keys(), ...now.responses.keys()])].flatMap((status) => {
    const location = `response ${status}`;
    const was = coveringResponse(old, status);
    const is = coveringResponse(now, status);
    if (was === undefined) return [added(status, location)];
    if (is === undefined) return [removed(status, location, now)];
    const oldIn: Located<ResponseObject> = { document: old.document, value: was };
    const newIn: Located<ResponseObject> = { document: now.document, value: is };
    const response = innerPart(operation, pointer(['responses', status]), location, oldIn, newIn);
    return [
      ...diffContent('response', response, contentOf(oldIn), contentOf(newIn), diffSchemas),
      ...diffHeaders('response', response, headersOf(oldIn), headersOf(newIn), diffSchemas),
    ];
  });
}

export function contentOf({ document, value }: Located<ResponseObject>) {
  return { document, value: new Map(Object.entries(value.content ?? {})) };
}

export function headersOf({ document, value }: Located<ResponseObject>) {
  return { document, value: value.headers ?? {} };
}

/** What a contract says of a status: of itself, else of its range, else of all others (§4.8.16). */
export function coveringResponse(
  { responses }: DiffedOperation,
  status: string,
): ResponseObject | undefined {
  const range = `${status.slice(0, 1)}XX`;
  return responses.get(status) ?? responses.get(range) ?? responses.get('default');
}

/** What a client makes of a status that it was not told of: RFC 9110 §15 tells it by the class. */
function meaningOf(status: string): Pick<Effect, 'breaks' | 'why'> {
  switch (status === '304' ? status : status.slice(0, 1)) {
    case '1':
      return { breaks: false, why: 'clients pass over what is informational (RFC 9110 §15.2)' };
    case '2':
      return { breaks: true, why: 'clients do not know this kind of success' };
    case '3':
      return { breaks: true, why: 'clients do not know that they are sent elsewhere' };
    case '304':
      return { breaks: false, why: 'only a conditional request gets it (RFC 9110 §15.4.5)' };
    default: {
      const why = 'clients take an error that they do not know for one of its class (RFC 9110 §15)';
      return { breaks: false, why };
    }
  }
}

function isSuccess(status: string): boolean {
  return /^[23]/.test(status);
}

function added(status: string, location: string): Effect {
  return { ...meaningOf(status), direction: 'response', location, what: 'added' };
}

function removed(status: string, location: string, now: DiffedOperation): Effect {
  const isLast = isSuccess(status) && ![...now.responses.keys()].some(isSuccess);
  return {
    breaks: isLast,
    direction: 'response',
    location,
    what: 'removed',
    why: isLast ? 'no success is left' : 'clients get nothing that they were not told of',
  };
}
