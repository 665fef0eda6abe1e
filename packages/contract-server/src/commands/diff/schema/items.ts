import { changedPlace, under, type Compare, type Difference } from './difference.js';
import type { Conjunction, FlatSchema } from './flat-schema.js';

/** The items of an array: the first ones, each with a schema of its own, and the rest. */
export function compareItems(old: FlatSchema, now: FlatSchema, compare: Compare): Difference[] {
  if (!old.types.has('array') || !now.types.has('array')) return [];
  const length = Math.max(prefixLength(old), prefixLength(now));
  const compareAt = (index: number, keyword: string) =>
    under(`/${keyword}`, compare(itemAt(old, index), itemAt(now, index)), () =>
      changedPlace(old, now, (was, is) => ownItem(was, index) !== ownItem(is, index)),
    );
  return [
    ...Array.from({ length }, (_, index) => compareAt(index, `prefixItems/${index}`)).flat(),
    ...compareAt(length, 'items'),
  ];
}

function prefixLength({ atoms }: FlatSchema): number {
  return Math.max(
    0,
    ...atoms.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0)),
  );
}

function itemAt({ atoms, of: { document } }: FlatSchema, index: number): Conjunction {
  const parts = atoms.map((atom) => ownItem(atom, index));
  return { document, parts: parts.filter((part) => part !== undefined) };
}

function ownItem({ prefixItems, items }: FlatSchema['atoms'][number], index: number): unknown {
  const isInPrefix = Array.isArray(prefixItems) && index < prefixItems.length;
  return isInPrefix ? (prefixItems as unknown[])[index] : items;
}
