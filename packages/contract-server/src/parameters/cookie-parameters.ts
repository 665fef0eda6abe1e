import { createContentReader } from './content-parameter.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { readAs } from './malformed-parameter.js';
import type { Parameter } from '../operation/operation.js';
import type { Shape } from './parameter-shape.js';
import {
  addText,
  readMembers,
  readOnce,
  readRepeated,
  readText,
  type MemberTexts,
} from './parameter-style.js';
import { decodePercent } from './percent-encoding.js';
import { parsePairs, type Pair } from './query-string.js';

/** Reads the cookie parameters; other cookies are none of the contract's business. */
export function createCookieReader(
  parameters: readonly Parameter[],
  shapeOf: (parameter: Parameter) => Shape,
): (header: string) => Record<string, JsonValue> {
  const readers = parameters.map((parameter) => {
    const shape = shapeOf(parameter);
    return {
      parameter,
      isExploded:
        parameter.explode && parameter.mediaType === undefined && (shape.isArray || shape.isObject),
      read: createReader(parameter, shape),
    };
  });
  const isAnyExploded = readers.some(({ isExploded }) => isExploded);
  return (header) => {
    const plain = textsOf(header, false);
    const exploded = isAnyExploded ? textsOf(header, true) : plain;
    const values = createRecord<JsonValue>();
    for (const { parameter, isExploded, read } of readers) {
      const value = readAs(parameter, () => read(isExploded ? exploded : plain));
      if (value !== undefined) values[parameter.name] = value;
    }
    return values;
  };
}

/** Cookies stand by themselves; in style form, exploded values are parted by `&` as in a query. */
const COOKIES = /;/;
const EXPLODED_COOKIES = /[;&]/;

/**
 * The pairs of a Cookie header (RFC 6265 §4.2.1), texts as they were sent but without the quotes that
 * §4.1.1 allows around them. Never fails: most cookies are none of the contract's business.
 */
function parseCookies(header: string, isExploded: boolean): Pair[] {
  return parsePairs(header, isExploded ? EXPLODED_COOKIES : COOKIES, (name) => name).map(
    ({ name, text }) => ({ name: name.trim(), text: unquote(text.trim()) }),
  );
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function textsOf(header: string, isExploded: boolean): MemberTexts {
  const texts = new Map<string, string[]>();
  for (const { name, text } of parseCookies(header, isExploded)) addText(texts, name, text);
  return texts;
}

function createReader(
  { name, mediaType, explode }: Parameter,
  shape: Shape,
): (cookies: MemberTexts) => JsonValue | undefined {
  const form = { separator: /,/, hasNamedMembers: false, decode: decodePercent };
  const readContent = mediaType === undefined ? undefined : createContentReader(mediaType);
  return (cookies) => {
    const texts = cookies.get(name);
    if (texts === undefined) {
      return explode && readContent === undefined ? readNamed(cookies, shape) : undefined;
    }
    if (readContent !== undefined) return readContent(decodePercent(readOnce(texts)));
    return explode
      ? readRepeated(texts, shape, decodePercent)
      : readText(readOnce(texts), shape, form);
  };
}

/** An exploded object: each of its members that the schema names is a cookie. */
function readNamed(cookies: MemberTexts, shape: Shape): JsonValue | undefined {
  const members = [...shape.members.keys()].flatMap((member) => {
    const texts = cookies.get(member);
    return texts === undefined ? [] : [[member, texts] as const];
  });
  return members.length === 0 ? undefined : readMembers(new Map(members), shape, decodePercent);
}
