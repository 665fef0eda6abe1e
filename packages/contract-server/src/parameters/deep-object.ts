import { excerpt } from '../excerpt.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { MalformedParameterError } from './malformed-parameter.js';
import type { Shape } from './parameter-shape.js';
import { addText, readItems, readMembers } from './parameter-style.js';
import type { Decode } from './percent-encoding.js';
import type { Pair } from './query-string.js';

const KEYS = /^(?:\[[^[\]]*\])+$/;

/**
 * Reads `[R]` = 100, `[G]` = 200: what stands after the parameter's name in style deepObject. OpenAPI
 * defines it for an object of scalars. Arrays, of which it says nothing, are read as they are commonly
 * sent: `[tags]` twice, `[tags][]`, or `[tags][0]`, `[tags][1]` in order; so is a whole array.
 */
export function readDeepObject(pairs: readonly Pair[], shape: Shape, decode: Decode): JsonValue {
  const entries = pairs.map(({ name, text }) => ({ keys: splitKeys(name), text }));
  if (shape.isArray && (!shape.isObject || entries.some(({ keys }) => keys[0] === ''))) {
    return readItems(listTexts(entries), shape, decode);
  }
  const scalars = new Map<string, string[]>();
  const lists = new Map<string, Entry[]>();
  for (const { keys, text } of entries) {
    const [name = '', ...deeper] = keys;
    if (name === '') throw new MalformedParameterError('has a member without a name');
    if (deeper.length === 0) addText(scalars, name, text);
    else addEntry(lists, name, { keys: deeper, text });
  }
  const object = createRecord<JsonValue>();
  Object.assign(object, readMembers(scalars, shape, decode));
  for (const [name, list] of lists) {
    if (scalars.has(name)) {
      throw new MalformedParameterError(`its member ${excerpt(name)} is given more than once`);
    }
    object[name] = readItems(listTexts(list), shape.memberOf(name), decode);
  }
  return object;
}

interface Entry {
  readonly keys: readonly string[];
  readonly text: string;
}

function addEntry(lists: Map<string, Entry[]>, name: string, entry: Entry): void {
  const known = lists.get(name);
  if (known === undefined) lists.set(name, [entry]);
  else known.push(entry);
}

function splitKeys(brackets: string): string[] {
  if (!KEYS.test(brackets)) throw new MalformedParameterError('has brackets that do not match');
  return brackets.slice(1, -1).split('][');
}

function listTexts(entries: readonly Entry[]): string[] {
  return entries.map(({ keys: [key = '', ...deeper], text }, index) => {
    if (deeper.length > 0 || !(key === '' || /^\d+$/.test(key))) {
      throw new MalformedParameterError('is nested deeper than its style can say');
    }
    if (key !== '' && Number(key) !== index) {
      throw new MalformedParameterError('has items that are not numbered from 0 in order');
    }
    return text;
  });
}
