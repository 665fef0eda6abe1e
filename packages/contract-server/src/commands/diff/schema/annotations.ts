import { isDeepStrictEqual } from 'node:util';
import type { Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';
import { describe, show } from './keyword-rule.js';

/** Compares the keywords that refuse no value, and yet concern a client. */
export function compareAnnotations(old: FlatSchema, now: FlatSchema): Difference[] {
  const differences: Difference[] = [];
  const before = valuesOf(old, 'default');
  const after = valuesOf(now, 'default');
  if (!isDeepStrictEqual(before, after)) {
    differences.push({
      pointer: '',
      what: describe('default', before, after, show),
      // A request that leaves it out is still valid, but doesn't mean what it meant.
      narrows: before.length > 0,
      widens: false,
      why:
        before.length > 0
          ? 'a request that leaves it out means something else'
          : 'what leaving it out means is told now',
    });
  }
  if (valuesOf(now, 'deprecated').includes(true) && !valuesOf(old, 'deprecated').includes(true)) {
    const why = 'it works as before, but may go';
    differences.push({ pointer: '', what: 'deprecated', narrows: false, widens: false, why });
  }
  return differences;
}

function valuesOf({ atoms }: FlatSchema, keyword: string): unknown[] {
  return atoms.filter((atom) => keyword in atom).map((atom) => atom[keyword]);
}
