import type { Compare, CompareFlat } from './comparison.js';
import type { Conjunction } from './conjunction.js';
import { narrowsAny, narrowsStrictly, under, widensAny, type Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';
import { listAlternatives, splitAlternatives, type Alternative } from './alternative.js';

/** Compares two schemas, whose alternatives (`oneOf`, `anyOf`) may be anywhere. */
export function compareAlternatives(
  old: FlatSchema,
  now: FlatSchema,
  compareFlat: CompareFlat,
  compare: Compare,
): readonly Difference[] {
  const before = listAlternatives(old);
  const after = listAlternatives(now);
  if (before.length === after.length) {
    return [
      ...compareFlat(old, now),
      ...before.flatMap((group, index) => compareGroups(group, after[index] ?? [], compare)),
    ];
  }
  // `{ type: [string, null] }` may have become `anyOf: [{ type: string }, { type: null }]`.
  if (before.length + after.length === 1) {
    return compareGroups(splitAlternatives(old), splitAlternatives(now), compare);
  }
  const narrows = !after.every((group) =>
    before.some((other) => !narrowsStrictly(compareGroups(other, group, compare))),
  );
  const widens = !before.every((group) =>
    after.some((other) => !widensAny(compareGroups(group, other, compare))),
  );
  const differences = compareFlat(old, now);
  if (!narrows && !widens) return differences;
  return [...differences, { pointer: '', what: 'oneOf or anyOf changed', narrows, widens }];
}

/** Compares two lists of alternatives. Where they are pairs, by what has changed in each pair. */
function compareGroups(
  before: readonly Alternative[],
  after: readonly Alternative[],
  compare: Compare,
): Difference[] {
  const isSame = (old: Alternative, now: Alternative) =>
    compare(old.schema, now.schema).length === 0;
  const isAlike = (old: Alternative, now: Alternative) => {
    const differences = compare(old.schema, now.schema);
    return !narrowsAny(differences) && !widensAny(differences);
  };
  const changedOld = before.filter((old) => !after.some((now) => isSame(old, now)));
  const changedNew = after.filter((now) => !before.some((old) => isSame(old, now)));
  return [
    ...changedNew.flatMap((now) => {
      const old = changedOld.find((one) => isAlike(one, now));
      return old === undefined ? [] : under(now.pointer, compare(old.schema, now.schema));
    }),
    ...compareOthers(
      before,
      after,
      changedOld.filter((old) => !changedNew.some((now) => isAlike(old, now))),
      changedNew.filter((now) => !changedOld.some((old) => isAlike(old, now))),
      compare,
    ),
  ];
}

/** Compares the alternatives of either list that have none like them in the other. */
function compareOthers(
  before: readonly Alternative[],
  after: readonly Alternative[],
  oldOnly: readonly Alternative[],
  newOnly: readonly Alternative[],
  compare: Compare,
): Difference[] {
  const pairs = pairUp(oldOnly, newOnly);
  if (pairs !== undefined) {
    return pairs.flatMap(([old, now]) => under(now.pointer, compare(old.schema, now.schema)));
  }
  const isAdmitted = (schema: Conjunction, by: readonly Alternative[]) =>
    by.some((other) => !narrowsStrictly(compare(schema, other.schema)));
  const isCovered = (schema: Conjunction, by: readonly Alternative[]) =>
    by.some((other) => !widensAny(compare(other.schema, schema)));
  return [
    ...oldOnly
      .filter(({ schema }) => !isAdmitted(schema, after))
      .map((old) => toDifference(old, after, 'removed')),
    ...newOnly
      .filter(({ schema }) => !isCovered(schema, before))
      .map((now) => toDifference(now, before, 'added')),
  ];
}

/** Alternatives that differ but belong together: of one name each, or one left on either side. */
function pairUp(
  oldOnly: readonly Alternative[],
  newOnly: readonly Alternative[],
): [Alternative, Alternative][] | undefined {
  if (oldOnly.length !== newOnly.length) return undefined;
  const pairs = oldOnly.flatMap((old): [Alternative, Alternative][] => {
    const now = newOnly.find(({ ref }) => ref !== undefined && ref === old.ref);
    return now === undefined ? [] : [[old, now]];
  });
  if (pairs.length === oldOnly.length) return pairs;
  const [old, now] = [oldOnly[0], newOnly[0]];
  return oldOnly.length === 1 && old !== undefined && now !== undefined ? [[old, now]] : undefined;
}

function toDifference(
  { pointer, isWhole }: Alternative,
  others: readonly Alternative[],
  what: 'added' | 'removed',
): Difference {
  const keyword = /^\/[a-zA-Z]+/.exec(pointer + (others[0]?.pointer ?? ''))?.[0] ?? '';
  return {
    pointer: isWhole ? keyword : pointer,
    what: isWhole
      ? `alternatives ${what === 'added' ? 'no longer demanded' : 'demanded'}`
      : `alternative ${what}`,
    narrows: what === 'removed',
    widens: what === 'added',
  };
}
