import { isDeepStrictEqual } from 'node:util';
import {
  changedPlace,
  narrowsStrictly,
  widensAny,
  type Compare,
  type Difference,
} from './difference.js';
import type { Conjunction, FlatSchema } from './flat-schema.js';

/** `not`: what is refused more narrowly is a wider schema. */
export function compareNegations(old: FlatSchema, now: FlatSchema, compare: Compare): Difference[] {
  const before = negationsOf(old);
  const after = negationsOf(now);
  // What is refused only now narrows, unless something that was refused before covers all of it.
  const narrows = !after.every((refused) =>
    before.some((wider) => !widensAny(compare(wider, refused))),
  );
  const widens = !before.every((refused) =>
    after.some((wider) => !narrowsStrictly(compare(refused, wider))),
  );
  if (!narrows && !widens) return [];
  const place = changedPlace(old, now, (was, is) => !isDeepStrictEqual(was.not, is.not));
  return [{ place, pointer: '/not', what: 'not changed', narrows, widens }];
}

function negationsOf({ atoms, of: { document } }: FlatSchema): Conjunction[] {
  return atoms
    .filter(({ not }) => not !== undefined)
    .map(({ not }) => ({ document, parts: [not] }));
}
