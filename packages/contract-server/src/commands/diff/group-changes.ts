import type { Change, OperationEffect } from './change.js';
import { isWithin } from './schema/place.js';

/** What has changed, by what the operations show of it: a change of a component is in many of them. */
export function groupChanges(effects: readonly OperationEffect[]): Change[] {
  const groups = groupBy(effects, (effect) => {
    const { operation, location, what } = effect;
    return `${sharedDefinition(effect) ?? `${operation.route} ${location}`} ${what}`;
  });
  return groups.map((group) => ({
    breaks: group.some(({ breaks }) => breaks),
    what: group[0].what,
    definition: sharedDefinition(group[0]),
    effects: group,
  }));
}

/** The lists of what has the same key, in the order of their first. */
export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): [Value, ...Value[]][] {
  const groups = new Map<string, [Value, ...Value[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return [...groups.values()];
}

/** Undefined where what has changed is in the operation itself, and no other operation can have it. */
function sharedDefinition({ definition, operation: { place } }: OperationEffect) {
  const isOwn = isWithin('/paths', place) || isWithin('/webhooks', place);
  return isOwn && isWithin(place, definition) ? undefined : definition;
}
