import { integersIn, joinIntegers, type ExactIntegers } from '../json/exact-integers.js';
import type { JsonValue } from '../json/json-value.js';
import { isObject } from '../document/document.js';
import { writeJson } from '../json/json.js';
import { stepsOf } from '../json/pointer.js';

/**
 * Whether the items of the array at a pointer are told apart by their exact integers (JSON Schema
 * 2020-12 validation §6.4.3), though the doubles that the value has for them may be the same.
 */
export function hasUniqueItems(value: unknown, integers: ExactIntegers, pointer: string): boolean {
  let items = value;
  let exact = integers;
  for (const step of stepsOf(pointer)) {
    if (typeof items !== 'object' || items === null || !Object.hasOwn(items, step)) return false;
    exact = integersIn(exact, Array.isArray(items) ? Number(step) : step);
    items = (items as Record<string, unknown>)[step]; // arrays have their items by name, too
  }
  if (!Array.isArray(items) || exact === undefined) return false;
  const joined = items.map((item: JsonValue, index) =>
    joinIntegers(item, integersIn(exact, index)),
  );
  return new Set(joined.map((item) => writeJson(sortMembers(item)))).size === joined.length;
}

/** Two objects whose members differ in order are equal (JSON Schema 2020-12 core §4.2.2). */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  // As pairs: a member named __proto__ is one like any other, and names like 1 stay in their place.
  return { members: members.map(([name, member]) => [name, sortMembers(member)]) };
}
