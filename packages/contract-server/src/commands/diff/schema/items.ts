import type { Compare } from './comparison.js';
import type { Conjunction } from './conjunction.js';
import { under, type Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';

/** The items of an array: the first ones, each with a schema of its own, and the rest. */
export function compareItems(old: FlatSchema, now: FlatSchema, compare: Compare): Difference[] {
  if (!old.types.has('array') || !now.types.has('array')) return [];
  const length = Math.max(prefixLength(old), prefixLength(now));
  return [
    ...Array.from({ length }, (_, index) =>
      under(`/prefixItems/${index}`, compare(itemAt(old, index), itemAt(now, index))),
    ).flat(),
    ...under('/items', compare(itemAt(old, length), itemAt(now, length))),
  ];
}

function prefixLength({ atoms }: FlatSchema): number {
  return Math.max(
    0,
    ...atoms.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0)),
  );
}

function itemAt({ atoms, of: { document } }: FlatSchema, index: number): Conjunction {
  const parts = atoms.map(({ prefixItems, items }): unknown => {
    const isInPrefix = Array.isArray(prefixItems) && index < prefixItems.length;
    return isInPrefix ? (prefixItems as unknown[])[index] : items;
  });
  return { document, parts: parts.filter((part) => part !== undefined) };
}
