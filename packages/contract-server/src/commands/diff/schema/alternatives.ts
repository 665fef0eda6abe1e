import { isDeepStrictEqual } from 'node:util';
import {
  changedPlace,
  narrowsAny,
  narrowsStrictly,
  under,
  widensAny,
  type Compare,
  type CompareFlat,
  type Difference,
} from './difference.js';
import type { Conjunction, FlatSchema } from './flat-schema.js';
import { listAlternatives, splitAlternatives, type Alternative } from './list-alternatives.js';

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

interface Pairing {
  readonly pairs: readonly (readonly [Alternative, Alternative])[];
  readonly oldOnly: readonly Alternative[];
  readonly newOnly: readonly Alternative[];
}

/** The alternatives of two lists that belong together: of one name, or alike, or one left on either side. */
function pairUp(
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
