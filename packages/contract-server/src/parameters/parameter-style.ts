import { excerpt } from '../json/excerpt.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { MalformedParameterError } from './malformed-parameter.js';
import type { Shape } from './parameter-shape.js';
import type { Decode } from './percent-encoding.js';

/** How a value stands in one text. */
export interface TextForm {
  readonly separator: RegExp;
  /** Whether an object is `R=100,G=200` rather than `R,100,G,200`. */
  readonly hasNamedMembers: boolean;
  /** Decodes each piece after the text is split: an encoded delimiter doesn't split (RFC 6570 §3.2.1). */
  readonly decode: Decode;
}

/** The texts of each member of an object. */
export type MemberTexts = ReadonlyMap<string, readonly string[]>;

/** Reads a value of which the whole stands in one text. */
export function readText(text: string, shape: Shape, form: TextForm): JsonValue {
  switch (kindOf(text, shape, form)) {
    case 'array':
      return readItems(text === '' ? [] : text.split(form.separator), shape, form.decode);
    case 'object':
      return readMembers(splitMembers(text, form), shape, form.decode);
    case 'scalar':
      return shape.readScalar(form.decode(text));
  }
}

/**
 * Reads a value that is written once for each of its items. One empty text is no item: it is what
 * forms send for an empty list, for which RFC 6570 has no text at all.
 */
export function readRepeated(texts: readonly string[], shape: Shape, decode: Decode): JsonValue {
  if (shape.isArray && (texts.length > 1 || !shape.isScalar)) {
    return readItems(texts.length === 1 && texts[0] === '' ? [] : texts, shape, decode);
  }
  return shape.readScalar(decode(readOnce(texts)));
}

/** The text of what must not be written more than once: to take one of several would be a guess. */
export function readOnce(texts: readonly string[]): string {
  const [text, ...others] = texts;
  if (text === undefined || others.length > 0) {
    throw new MalformedParameterError('is given more than once');
  }
  return text;
}

export function readItems(texts: readonly string[], shape: Shape, decode: Decode): JsonValue[] {
  return texts.map((text, index) => shape.itemAt(index).readScalar(decode(text)));
}

export function readMembers(texts: MemberTexts, shape: Shape, decode: Decode): JsonValue {
  const object = createRecord<JsonValue>();
  for (const [name, values] of texts) {
    const member = shape.memberOf(name);
    if (values.length > 1 && !member.isArray) {
      throw new MalformedParameterError(`its member ${excerpt(name)} is given more than once`);
    }
    object[name] = readRepeated(values, member, decode);
  }
  return object;
}

/** Adds a text to those of a name. */
export function addText(texts: Map<string, string[]>, name: string, text: string): void {
  const known = texts.get(name);
  if (known === undefined) texts.set(name, [text]);
  else known.push(text);
}

/** Which of the kinds that the schema admits a text is taken for; OpenAPI doesn't say. */
function kindOf(text: string, shape: Shape, form: TextForm): 'array' | 'object' | 'scalar' {
  const { isArray, isObject, isScalar } = shape;
  if (!isArray && !isObject) return 'scalar';
  const hasSeveral = form.separator.test(text);
  if (isObject && (form.hasNamedMembers ? text.includes('=') : hasSeveral && !isArray)) {
    return 'object';
  }
  if (isArray && (hasSeveral || !isScalar)) return 'array';
  return isScalar ? 'scalar' : 'object';
}

function splitMembers(text: string, { separator, hasNamedMembers, decode }: TextForm): MemberTexts {
  const texts = new Map<string, string[]>();
  const parts = text === '' ? [] : text.split(separator);
  if (hasNamedMembers) {
    for (const part of parts) {
      const at = part.indexOf('=');
      if (at === -1)
        throw new MalformedParameterError(`has a member without a value: ${excerpt(part)}`);
      addText(texts, decode(part.slice(0, at)), part.slice(at + 1));
    }
    return texts;
  }
  if (parts.length % 2 === 1) {
    throw new MalformedParameterError('must be a list of names, each with its value after it');
  }
  for (let at = 0; at < parts.length; at += 2) {
    addText(texts, decode(parts[at] ?? ''), parts[at + 1] ?? '');
  }
  return texts;
}
