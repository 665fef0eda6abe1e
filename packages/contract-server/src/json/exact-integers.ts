import { roundInteger } from './exact-number.js';
import type { JsonValue } from './json-value.js';
import { createRecord } from './record.js';

/**
 * The integers of a value that a double can't hold, by the steps that lead to them; undefined where there
 * are none. The value itself has the nearest double there, as validators want it.
 */
export type ExactIntegers = bigint | IntegerParts | undefined;

/** Made by `createRecord`: for a list of objects with an integer each, a Map each costs twice as much. */
export interface IntegerParts {
  [step: Step]: ExactIntegers;
}

/** The index of an item, or the name of a member. */
export type Step = string | number;

/** A value whose integers are doubles, and those of them that are more exact than that. */
export interface SplitValue {
  readonly value: JsonValue;
  readonly integers: ExactIntegers;
}

/** The exact integers of a part of a value. */
export function integersIn(integers: ExactIntegers, step: Step): ExactIntegers {
  return typeof integers === 'object' ? integers[step] : undefined;
}

/** Splits a value that has exact integers in it. */
export function splitIntegers(value: JsonValue): SplitValue {
  if (typeof value === 'bigint') return { value: roundInteger(value), integers: value };
  if (typeof value !== 'object') return { value, integers: undefined };
  let integers: IntegerParts | undefined;
  const doubles = mapParts(value, (part, step) => {
    const split = splitIntegers(part);
    if (split.integers !== undefined) (integers ??= createRecord())[step] = split.integers;
    return split.value;
  });
  return integers === undefined ? { value, integers } : { value: doubles, integers };
}

/** Writes a double for each of the exact integers of a value into it, at its place. */
export function setIntegers(
  value: unknown,
  integers: ExactIntegers,
  doubleOf: (integer: bigint) => number,
): void {
  if (typeof integers !== 'object') return;
  const parts = value as Record<Step, unknown>; // where there are integers in it, it has parts
  for (const step in integers) {
    const part = integers[step];
    if (typeof part === 'bigint') parts[step] = doubleOf(part);
    else setIntegers(parts[step], part, doubleOf);
  }
}

/** The value with its exact integers in it again: a copy of what has any. */
export function joinIntegers(value: JsonValue, integers: ExactIntegers): JsonValue {
  if (integers === undefined) return value;
  if (typeof integers === 'bigint') return integers;
  return mapParts(value, (part, step) => joinIntegers(part, integers[step]));
}

function mapParts(value: JsonValue, map: (part: JsonValue, step: Step) => JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, map(member, name)]),
  );
}
