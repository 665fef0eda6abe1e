import { MAX_DEPTH, type JsonValue } from './json-value.js';

/**
 * A copy of a value that is plain data: what `JSON.parse` would make of what `JSON.stringify` writes of
 * it. Undefined where the value is anything else, such as an instance of a class, or a string with half a
 * surrogate pair, or is nested deeper than the reader allows.
 */
export function copyPlain(value: unknown, depth = 0): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : undefined;
    case 'number':
      // ECMA-262 §25.5.2.2: what isn't finite is written as null, and -0 as 0.
      return Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth === MAX_DEPTH || 'toJSON' in value) return undefined;
      return Array.isArray(value) ? copyItems(value, depth + 1) : copyMembers(value, depth + 1);
    default:
      return undefined;
  }
}

function copyItems(items: readonly unknown[], depth: number): JsonValue | undefined {
  const copies: JsonValue[] = [];
  for (const item of items) {
    const copy = copyPlain(item, depth);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  return copies;
}

function copyMembers(value: object, depth: number): JsonValue | undefined {
  // An object with another prototype may be written in its own way.
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const copies: Record<string, JsonValue> = {};
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === undefined) continue;
    const copy = copyPlain(member, depth);
    // Written to an object, a member of this name would be its prototype.
    if (copy === undefined || name === '__proto__' || !name.isWellFormed()) return undefined;
    copies[name] = copy;
  }
  return copies;
}
