import { isObject, isReference } from '../../../document/document.js';
import type { Located } from '../change/place.js';

/** Keywords for people, where their value is text: a property of that name has a schema. */
const PROSE = ['description', 'title', 'summary', '$comment'];
const FOR_PEOPLE = ['example', 'examples', 'externalDocs'];

/** Whether two parts say the same, word by word, but for prose, extensions and where references lead. */
export function isSameStructure(one: Located, other: Located): boolean {
  const seen = new Map<unknown, Set<unknown>>();

  function isSame(left: unknown, right: unknown): boolean {
    if (isReference(left)) return isSame(one.document.resolve(left), right);
    if (isReference(right)) return isSame(left, other.document.resolve(right));
    if (Array.isArray(left) && Array.isArray(right)) {
      return left.length === right.length && left.every((value, i) => isSame(value, right[i]));
    }
    if (!isObject(left) || !isObject(right)) return left === right;
    if (seen.get(left)?.has(right)) return true; // as far as the rest of the comparison tells
    seen.set(left, (seen.get(left) ?? new Set()).add(right));
    return [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .filter((name) => !isProse(name, left[name] ?? right[name]))
      .every((name) => isSame(left[name], right[name]));
  }

  return isSame(one.value, other.value);
}

function isProse(name: string, value: unknown): boolean {
  if (name.startsWith('x-') || FOR_PEOPLE.includes(name)) return true;
  return PROSE.includes(name) && typeof value === 'string';
}
