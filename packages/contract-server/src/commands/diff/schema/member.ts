import type { Schema } from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import type { Direction } from '../../../schema/direction.js';
import { compareDefaults } from './annotations.js';
import type { Compare } from './comparison.js';
import { changedPlace, narrowsAny, under, widensAny, type Difference } from './difference.js';
import { entryOf, type Members } from './members.js';

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
export function compareMember(
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
