import type { Schema } from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import type { Direction } from '../../../schema/direction.js';
import { compareDefaults } from './annotations.js';
import {
  changedPlace,
  narrowsAny,
  under,
  widensAny,
  type Compare,
  type Difference,
} from './difference.js';
import type { Conjunction, FlatSchema } from './flat-schema.js';
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

const ADDED = {
  request: 'clients need not send it',
  response: 'clients pass over members that they do not know',
};
const REMOVED = {
  request: 'what clients send there is passed over or refused',
  response: 'clients that read it find nothing, or something else',
};
const HIDDEN = { request: 'property made readOnly', response: 'property made writeOnly' };

/** What has changed of one member of an object. */
function compareMember(
  name: string,
  before: Members,
  after: Members,
  direction: Direction,
  compare: Compare,
): readonly Difference[] {
  const old = before.named.get(name);
  const now = after.named.get(name);
  const at = pointer(['properties', name]);
  const placeWhere = (hasChanged: (was: Schema, is: Schema) => boolean) =>
    changedPlace(before.schema, after.schema, hasChanged);
  const wasRequired = before.required.has(name);
  const isRequired = after.required.has(name);
  if (now !== undefined && old !== undefined) {
    const inner = [
      ...compare(old, now),
      ...(wasRequired ? [] : compareDefaults(old, now, direction)),
    ];
    const differences = under(at, inner, () =>
      placeWhere((was, is) => entryOf(was.properties, name) !== entryOf(is.properties, name)),
    );
    if (wasRequired === isRequired) return differences;
    const requirement: Difference = {
      place: placeWhere((was, is) => demands(was, name) !== demands(is, name)),
      pointer: at,
      what: `made ${isRequired ? 'required' : 'optional'}`,
      narrows: isRequired,
      widens: wasRequired,
    };
    return [...differences, requirement];
  }
  const here = {
    place: placeWhere((was, is) => hasOwn(was.properties, name) !== hasOwn(is.properties, name)),
    pointer: at,
  };
  if (now !== undefined) {
    // Where the old contract describes other members, the new one was among them.
    const differences = before.others.parts.length > 0 ? compare(before.others, now) : [];
    const narrows = (isRequired && !wasRequired) || narrowsAny(differences);
    const widens = widensAny(differences);
    const what = `${isRequired ? 'required' : 'optional'} property added`;
    if (narrows || widens) return [{ ...here, what, narrows, widens }];
    return [{ ...here, what, narrows, widens, isNewMember: true, why: ADDED[direction] }];
  }
  if (old !== undefined) {
    const what = after.hidden.has(name) ? HIDDEN[direction] : 'property removed';
    return [{ ...here, what, narrows: true, widens: true, why: REMOVED[direction] }];
  }
  if (wasRequired === isRequired) return [];
  const what = `made ${isRequired ? 'required' : 'optional'}`;
  return [{ ...here, what, narrows: isRequired, widens: wasRequired }];
}

function demands({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

function hasOwn(map: unknown, name: string): boolean {
  return entryOf(map, name) !== undefined;
}
