import type { Alternative } from './alternative.js';
import type { Compare } from './comparison.js';
import { narrowsAny, widensAny } from './difference.js';

interface Pairing {
  readonly pairs: readonly (readonly [Alternative, Alternative])[];
  readonly oldOnly: readonly Alternative[];
  readonly newOnly: readonly Alternative[];
}

/** The alternatives of two lists that belong together: of one name, or alike, or one left on either side. */
export function pairUp(
  before: readonly Alternative[],
  after: readonly Alternative[],
  compare: Compare,
): Pairing {
  const pairs: [Alternative, Alternative][] = [];
  const newOnly = new Set(after);
  let oldOnly = before;
  const take = (belongs: (old: Alternative, now: Alternative) => boolean): void => {
    oldOnly = oldOnly.filter((old) => {
      const now = [...newOnly].find((one) => belongs(old, one));
      if (now === undefined) return true;
      newOnly.delete(now);
      pairs.push([old, now]);
      return false;
    });
  };
  take((old, now) => old.name !== undefined && old.name === now.name);
  take((old, now) => compare(old.schema, now.schema).length === 0);
  take((old, now) => {
    const differences = compare(old.schema, now.schema);
    return !narrowsAny(differences) && !widensAny(differences);
  });
  if (oldOnly.length === 1 && newOnly.size === 1) take(() => true);
  return { pairs, oldOnly, newOnly: [...newOnly] };
}
