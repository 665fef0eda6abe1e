import { excerpt } from '../json/excerpt.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { MalformedParameterError } from './malformed-parameter.js';
import type { Shape } from './parameter-shape.js';
import { readRepeated } from './parameter-style.js';
import type { Decode } from './percent-encoding.js';
import type { Pair } from './query-string.js';

const KEYS = /^(?:\[[^[\]]*\])+$/;
/** Deeper than any form is, and not so deep that it costs anything. */
const MAX_DEPTH = 16;
const TOO_DEEP = 'is nested deeper than its style can say';

/**
 * Reads `[R]` = 100, `[G]` = 200: what stands after the name of a parameter in style deepObject. OpenAPI
 * defines it for an object of scalars. Of what is deeper it says nothing, so that is read as it is
 * commonly sent: members of members, `[card][name]`; lists as `[tags]` twice, `[tags][]`, or `[tags][0]`,
 * `[tags][1]` in order; so is a whole array.
 */
export function readDeepObject(pairs: readonly Pair[], shape: Shape, decode: Decode): JsonValue {
  const entries = pairs.map(({ name, text }) => ({ keys: splitKeys(name), text }));
  return readNested(entries, shape, decode);
}

/** What stands behind some keys that were read already. */
interface Entry {
  readonly keys: readonly string[];
  readonly text: string;
}

function splitKeys(brackets: string): string[] {
  if (!KEYS.test(brackets)) throw new MalformedParameterError('has brackets that do not match');
  const keys = brackets.slice(1, -1).split('][');
  if (keys.length > MAX_DEPTH) throw new MalformedParameterError(TOO_DEEP);
  return keys;
}

/** Entries that have a key each. */
function readNested(entries: readonly Entry[], shape: Shape, decode: Decode): JsonValue {
  const isList = shape.isArray && entries.some(({ keys }) => keys[0] === '');
  return shape.isObject && !isList
    ? readObject(entries, shape, decode)
    : readList(entries, shape, decode);
}

function readObject(entries: readonly Entry[], shape: Shape, decode: Decode): JsonValue {
  const object = createRecord<JsonValue>();
  for (const [name, inner] of groupByKey(entries)) {
    if (name === '') throw new MalformedParameterError('has a member without a name');
    const member = shape.memberOf(name);
    const texts = inner.filter(({ keys }) => keys.length === 0).map(({ text }) => text);
    if (texts.length === 0) {
      object[name] = readNested(inner, member, decode);
    } else if (texts.length < inner.length || (texts.length > 1 && !member.isArray)) {
      throw new MalformedParameterError(`its member ${excerpt(name)} is given more than once`);
    } else {
      object[name] = readRepeated(texts, member, decode);
    }
  }
  return object;
}

function readList(entries: readonly Entry[], shape: Shape, decode: Decode): JsonValue[] {
  const numbered = entries.map(({ keys: [key = '', ...rest], text }, index) => {
    if (!/^\d*$/.test(key) || (key === '' && rest.length > 0)) {
      throw new MalformedParameterError(TOO_DEEP);
    }
    return { keys: [key === '' ? String(index) : key, ...rest], text };
  });
  return [...groupByKey(numbered)].map(([key, inner], index) => {
    const [first] = inner;
    const isText = first?.keys.length === 0;
    if (Number(key) !== index || (isText && inner.length > 1)) {
      throw new MalformedParameterError('has items that are not numbered from 0 in order');
    }
    const item = shape.itemAt(index);
    if (isText) return item.readScalar(decode(first.text));
    if (!item.isObject && !item.isArray) throw new MalformedParameterError(TOO_DEEP);
    return readNested(inner, item, decode);
  });
}

/** By their first keys, in order, what stands behind those. */
function groupByKey(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const { keys, text } of entries) {
    const [key = '', ...rest] = keys;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [{ keys: rest, text }]);
    else known.push({ keys: rest, text });
  }
  return groups;
}
