import { isDeepStrictEqual } from 'node:util';
import type { Direction } from '../../../schema/direction.js';
import { describe, show } from './constraints.js';
import { changedPlace, type Difference } from './difference.js';
import { flatten, type Conjunction, type FlatSchema } from './flat-schema.js';

/** Compares the keywords that refuse no value, and yet concern a client. */
export function compareAnnotations(old: FlatSchema, now: FlatSchema): Difference[] {
  if (!valuesOf(now, 'deprecated').includes(true)) return [];
  if (valuesOf(old, 'deprecated').includes(true)) return [];
  const place = changedPlace(old, now, (was, is) => was.deprecated !== is.deprecated);
  const why = 'it works as before, but may go';
  return [{ place, pointer: '', what: 'deprecated', narrows: false, widens: false, why }];
}

/**
 * Compares what is meant where a member or a parameter is left out. A request that leaves it out is
 * valid as before, but doesn't mean what it meant.
 */
export function compareDefaults(
  oldParts: Conjunction,
  newParts: Conjunction,
  direction: Direction,
): Difference[] {
  const [old, now] = [flatten(oldParts), flatten(newParts)];
  const before = valuesOf(old, 'default');
  const after = valuesOf(now, 'default');
  if (isDeepStrictEqual(before, after)) return [];
  return [
    {
      place: changedPlace(old, now, (was, is) => !isDeepStrictEqual(was.default, is.default)),
      pointer: '',
      what: describe('default', before, after, show),
      narrows: direction === 'request' && before.length > 0,
      widens: false,
      why: REASONS[direction][before.length > 0 ? 'other' : 'first'],
    },
  ];
}

const REASONS = {
  request: {
    first: 'what leaving it out means is told now',
    other: 'a request that leaves it out means something else',
  },
  response: {
    first: 'a default is for what requests leave out',
    other: 'a default is for what requests leave out',
  },
};

function valuesOf({ atoms }: FlatSchema, keyword: string): unknown[] {
  return atoms.filter((atom) => keyword in atom).map((atom) => atom[keyword]);
}
