import { pointer } from '../../../json/pointer.js';
import type { Schema } from '../../../document/document.js';
import type { Direction } from '../../../schema/direction.js';
import { compareMember } from './member.js';
import type { Compare } from './comparison.js';
import type { Conjunction } from './conjunction.js';
import { changedPlace, under, type Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';
import { entryOf, membersOf, type Members } from './members.js';

/** The members of an object: those with a name, those with a pattern, and all others. */
export function compareProperties(
  old: FlatSchema,
  now: FlatSchema,
  direction: Direction,
  compare: Compare,
): Difference[] {
  if (!old.types.has('object') || !now.types.has('object')) return [];
  const before = membersOf(old, direction);
  const after = membersOf(now, direction);
  const names = (members: Members) => [...members.named.keys(), ...members.required];
  const compareSaid = (
    path: readonly string[],
    was: Conjunction,
    is: Conjunction,
    saidBy: (schema: Schema) => unknown,
  ) =>
    under(pointer(path), compare(was, is), () =>
      changedPlace(old, now, (one, other) => saidBy(one) !== saidBy(other)),
    );
  return [
    ...[...new Set([...names(before), ...names(after)])].flatMap((name) =>
      compareMember(name, before, after, direction, compare),
    ),
    ...[...new Set([...before.patterns.keys(), ...after.patterns.keys()])].flatMap((pattern) =>
      compareSaid(
        ['patternProperties', pattern],
        before.patterns.get(pattern) ?? before.anything,
        after.patterns.get(pattern) ?? after.anything,
        ({ patternProperties }) => entryOf(patternProperties, pattern),
      ),
    ),
    ...compareSaid(
      ['additionalProperties'],
      before.others,
      after.others,
      (schema) => schema.additionalProperties ?? schema.unevaluatedProperties,
    ),
    ...compareSaid(
      ['propertyNames'],
      keywordOf(old, 'propertyNames'),
      keywordOf(now, 'propertyNames'),
      (schema) => schema.propertyNames,
    ),
  ];
}

function keywordOf({ atoms, of: { document } }: FlatSchema, keyword: string): Conjunction {
  const parts = atoms.map((atom) => atom[keyword]).filter((part) => part !== undefined);
  return { document, parts };
}
