import type { Change, OperationEffect } from './change.js';

/** What has changed, by what the operations show of it: a change of a component is in many of them. */
export function groupChanges(effects: readonly OperationEffect[]): Change[] {
  const groups = new Map<string, OperationEffect[]>();
  for (const effect of effects) {
    const { operation, location, what } = effect;
    const at = sharedDefinition(effect) ?? `${operation.route} ${location}`;
    const key = `${at} ${what}`;
    groups.set(key, [...(groups.get(key) ?? []), effect]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      breaks: group.some(({ breaks }) => breaks),
      what: first.what,
      definition: sharedDefinition(first),
      effects: group,
    };
  });
}

/** Undefined where what has changed is in the operation itself, and no other operation can have it. */
function sharedDefinition({ definition, operation: { place } }: OperationEffect) {
  const isOwn = /^\/(paths|webhooks)\//.test(place) && definition?.startsWith(place) === true;
  return isOwn ? undefined : definition;
}
