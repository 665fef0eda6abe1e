import type { Direction } from '../../../schema/direction.js';
import type { Compare } from './comparison.js';
import type { Conjunction } from './conjunction.js';
import { narrowsAny, under, widensAny, type Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';
import { membersOf, type Members } from './members.js';
import { pointer } from '../../../json/pointer.js';

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
  return [
    ...[...new Set([...names(before), ...names(after)])].flatMap((name) =>
      under(pointer(['properties', name]), compareMember(name, before, after, direction, compare)),
    ),
    ...[...new Set([...before.patterns.keys(), ...after.patterns.keys()])].flatMap((pattern) =>
      under(
        pointer(['patternProperties', pattern]),
        compare(
          before.patterns.get(pattern) ?? before.anything,
          after.patterns.get(pattern) ?? after.anything,
        ),
      ),
    ),
    ...under('/additionalProperties', compare(before.others, after.others)),
    ...under(
      '/propertyNames',
      compare(keywordOf(old, 'propertyNames'), keywordOf(now, 'propertyNames')),
    ),
  ];
}

function compareMember(
  name: string,
  before: Members,
  after: Members,
  direction: Direction,
  compare: Compare,
): readonly Difference[] {
  const old = before.named.get(name);
  const now = after.named.get(name);
  const wasRequired = before.required.has(name);
  const isRequired = after.required.has(name);
  if (old === undefined && now !== undefined) {
    // Where the old contract describes other members, the new one was among them.
    const differences = before.others.parts.length > 0 ? compare(before.others, now) : [];
    const narrows = (isRequired && !wasRequired) || narrowsAny(differences);
    const widens = widensAny(differences);
    const what = `${isRequired ? 'required' : 'optional'} property added`;
    if (narrows || widens) return [{ pointer: '', what, narrows, widens }];
    return [{ pointer: '', what, narrows, widens, isNewMember: true, why: ADDED[direction] }];
  }
  if (old !== undefined && now === undefined) {
    const what = after.hidden.has(name) ? HIDDEN[direction] : 'property removed';
    return [{ pointer: '', what, narrows: true, widens: true, why: REMOVED[direction] }];
  }
  const differences = old !== undefined && now !== undefined ? [...compare(old, now)] : [];
  if (wasRequired !== isRequired) {
    differences.push({
      pointer: '',
      what: `made ${isRequired ? 'required' : 'optional'}`,
      narrows: isRequired,
      widens: wasRequired,
    });
  }
  return differences;
}

const ADDED = {
  request: 'clients need not send it',
  response: 'clients pass over members that they do not know',
};
const REMOVED = {
  request: 'what clients send there is passed over or refused',
  response: 'clients that read it find nothing, or something else',
};
const HIDDEN = { request: 'property made readOnly', response: 'property made writeOnly' };

function keywordOf({ atoms, of: { document } }: FlatSchema, keyword: string): Conjunction {
  const parts = atoms.map((atom) => atom[keyword]).filter((part) => part !== undefined);
  return { document, parts };
}
