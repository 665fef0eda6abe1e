import type { ContractDocument, Schema } from '../document/document.js';
import { conjunctsOf } from './traversal.js';

/** Which way a value travels: `readOnly`, `writeOnly` and `default` mean something in one way only. */
export type Direction = 'request' | 'response';

const HIDING = { request: 'readOnly', response: 'writeOnly' } as const;

/**
 * Whether a member with this schema doesn't travel this way. OpenAPI 3.0.3 §4.7.24, relevant only for
 * the definitions of properties: a readOnly member should not be sent in a request, nor a writeOnly
 * one in a response.
 */
export function isHidden(
  document: ContractDocument,
  member: unknown,
  direction: Direction,
): boolean {
  return conjunctsOf(document, member).some((schema) => schema[HIDING[direction]] === true);
}

/** The schema of a member that doesn't travel this way, whatever its value. */
export function hiddenMember(direction: Direction): Schema {
  return { [HIDING[direction]]: true };
}
