import { isDeepStrictEqual } from 'node:util';
import type { Compare, CompareFlat } from './comparison.js';
import type { Conjunction } from './conjunction.js';
import { changedPlace, narrowsStrictly, under, widensAny, type Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';
import { listAlternatives, splitAlternatives, type Alternative } from './alternative.js';
import { pairUp } from './alternative-pairs.js';

/** Compares two schemas, whose alternatives (`oneOf`, `anyOf`) may be anywhere. */
export function compareAlternatives(
  old: FlatSchema,
  now: FlatSchema,
  compareFlat: CompareFlat,
  compare: Compare,
): readonly Difference[] {
  const before = listAlternatives(old);
  const after = listAlternatives(now);
  const place = (): string | undefined =>
    changedPlace(
      old,
      now,
      (was, is) =>
        !isDeepStrictEqual(was.oneOf, is.oneOf) || !isDeepStrictEqual(was.anyOf, is.anyOf),
    );
  const compareHere = (was: readonly Alternative[], is: readonly Alternative[]) =>
    under('', compareGroups(was, is, compare), place);
  if (before.length === after.length) {
    return [
      ...compareFlat(old, now),
      ...before.flatMap((group, index) => compareHere(group, after[index] ?? [])),
    ];
  }
  // `{ type: [string, null] }` may have become `anyOf: [{ type: string }, { type: null }]`.
  if (before.length + after.length === 1) {
    return compareHere(splitAlternatives(old), splitAlternatives(now));
  }
  const narrows = !after.every((group) =>
    before.some((other) => !narrowsStrictly(compareGroups(other, group, compare))),
  );
  const widens = !before.every((group) =>
    after.some((other) => !widensAny(compareGroups(group, other, compare))),
  );
  const differences = compareFlat(old, now);
  if (!narrows && !widens) return differences;
  const what = 'oneOf or anyOf changed';
  return [...differences, { place: place(), pointer: '', what, narrows, widens }];
}

/** Compares two lists of alternatives: by what has changed in each pair, and by what has no other. */
function compareGroups(
  before: readonly Alternative[],
  after: readonly Alternative[],
  compare: Compare,
): Difference[] {
  const { pairs, oldOnly, newOnly } = pairUp(before, after, compare);
  const isAdmitted = (schema: Conjunction, by: readonly Alternative[]) =>
    by.some((other) => !narrowsStrictly(compare(schema, other.schema)));
  const isCovered = (schema: Conjunction, by: readonly Alternative[]) =>
    by.some((other) => !widensAny(compare(other.schema, schema)));
  return [
    ...pairs.flatMap(([old, now]) =>
      under(now.pointer, compare(old.schema, now.schema), () => undefined),
    ),
    ...oldOnly
      .filter(({ schema }) => !isAdmitted(schema, after))
      .map((old) => toDifference(old, after, 'removed')),
    ...newOnly
      .filter(({ schema }) => !isCovered(schema, before))
      .map((now) => toDifference(now, before, 'added')),
  ];
}

function toDifference(
  { pointer, name, isWhole }: Alternative,
  others: readonly Alternative[],
  what: 'added' | 'removed',
): Difference {
  const keyword = /^\/[a-zA-Z]+/.exec(pointer + (others[0]?.pointer ?? ''))?.[0] ?? '';
  return {
    place: undefined,
    pointer: isWhole ? keyword : pointer,
    what: isWhole
      ? `alternatives ${what === 'added' ? 'no longer demanded' : 'demanded'}`
      : `alternative ${name === undefined ? '' : `${name} `}${what}`,
    narrows: what === 'removed',
    widens: what === 'added',
  };
}
