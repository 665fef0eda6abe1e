import type { Direction } from '../../../schema/direction.js';
import { isWithin } from './place.js';

/** One difference between two contracts, as those meet it who call one operation. */
export interface Effect {
  readonly breaks: boolean;
  /** Which of the two kinds of message it is in; left out where it is in neither. */
  readonly direction?: Direction;
  /** `request body /properties/id`: which part of the operation, and a JSON Pointer into its schema. */
  readonly location: string;
  /** The JSON Pointer of what has changed, where both contracts have it at one place. */
  readonly definition?: string | undefined;
  readonly what: string;
  readonly why: string;
}

/** An operation, as a report names it. */
export interface OperationName {
  readonly operationId: string;
  /** `POST /bookings`; empty for a webhook, which has its name in the location. */
  readonly route: string;
  /** Its JSON Pointer. */
  readonly place: string;
}

export type OperationEffect = Effect & { readonly operation: OperationName };

export type Effects = readonly [OperationEffect, ...OperationEffect[]];

/** One difference between two contracts, wherever it is met. */
export interface Change {
  /** Whether it breaks the clients of any operation. */
  readonly breaks: boolean;
  readonly what: string;
  /** The JSON Pointer of what has changed; undefined where it is one operation's own. */
  readonly definition: string | undefined;
  readonly effects: Effects;
}

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
