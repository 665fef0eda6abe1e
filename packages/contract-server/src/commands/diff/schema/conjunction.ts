import type { ContractDocument } from '../../../index.js';

/**
 * A schema, as parts that must all hold. The parts are objects of the document, never copies: there
 * are only so many sets of them, which is what ends the comparison of recursive schemas.
 */
export interface Conjunction {
  readonly document: ContractDocument;
  readonly parts: readonly unknown[];
}

const ids = new WeakMap<object, number>();
let lastId = 0;

function idOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const id = ids.get(value) ?? ++lastId;
  ids.set(value, id);
  return String(id);
}

/** The same text for the same parts of the same document. */
export function keyOf(document: ContractDocument, parts: readonly unknown[]): string {
  return `${idOf(document)}:${[...new Set(parts.map(idOf))].sort().join(',')}`;
}
