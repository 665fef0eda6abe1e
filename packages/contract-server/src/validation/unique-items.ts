import type { JsonValue } from '../json/json-value.js';
import { isObject } from '../document/document.js';
import { writeJson } from '../json/json.js';
import { stepsOf } from '../json/pointer.js';

/**
 * Whether the items that stand there are told apart by their exact integers (JSON Schema 2020-12
 * validation §6.4.3), though the doubles that they are rounded to may be the same.
 */
export function hasUniqueItems(exact: JsonValue | undefined, pointer: string): boolean {
  const items = valueAt(exact, pointer);
  if (!Array.isArray(items)) return false;
  return new Set(items.map((item) => writeJson(sortMembers(item)))).size === items.length;
}

function valueAt(value: JsonValue | undefined, pointer: string): unknown {
  let found: unknown = value;
  for (const step of stepsOf(pointer)) {
    const holder = found as Record<string, unknown>; // arrays have their items by name, too
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, step);
    found = isThere ? holder[step] : undefined;
  }
  return found;
}

/** Two objects whose members differ in order are equal (JSON Schema 2020-12 core §4.2.2). */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  // As pairs: a member named __proto__ is one like any other, and names like 1 stay in their place.
  return { members: members.map(([name, member]) => [name, sortMembers(member)]) };
}
