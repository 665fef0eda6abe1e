import { valueAt } from '../document.js';

/** An object of which nothing more is known, such as a part of a contract. */
export type Members = Readonly<Record<string, unknown>>;

/** What a reference points at; the part before its `#` doesn't matter, since there is one document. */
export function lookUp(root: Members, ref: string): unknown {
  return valueAt(root, decodeURIComponent(ref.slice(ref.indexOf('#') + 1)));
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
