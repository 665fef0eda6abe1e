import { isJsonObject, writeJson, type Json, type Spelling } from './json.js';
import { LONG_NAMES } from './strings.js';

/** A value, and how it is written where it is right. */
export interface Written {
  readonly value: Json;
  readonly spelling: Spelling;
}

export function malformedTexts({ value, spelling }: Written): string[] {
  const text = writeJson(value, spelling);
  const others = ['{', '[1,]', '{"a":1,}', "{'a':1}", '{a:1}', 'NaN', '01', '+1', '"\u0001"', '\\'];
  return [
    `${text},`,
    `${text}}`,
    `${text}/**/`,
    `${text}${text.startsWith('{') ? text : ' x'}`,
    '"\\ud800"',
    // A message that quotes one code unit has half a character.
    ...['\u{1f600}', '{"a":\u{1f600}}', '"\\\u{1f600}"', `${text}\u{1f600}`],
    ...(/^[[{"]/.test(text) ? [text.trimEnd().slice(0, -1), text.slice(1)] : []),
    ...others,
  ];
}

/** The same object with its first member twice: the same text, another value, another spelling. */
export function duplicates({ value, spelling }: Written): string[] {
  if (!isJsonObject(value)) return [];
  const [name] = Object.keys(value);
  if (name === undefined) return [];
  const text = writeJson(value, spelling);
  const again = (member: Json, escapes: 'needed' | 'all'): string => {
    const one = writeJson({ [name]: member }, { ...spelling, escapes });
    return `${text.trimEnd().slice(0, -1)},${one.trimStart().slice(1)}`;
  };
  return [
    again(value[name] ?? null, 'needed'),
    again(value[name] ?? null, 'all'),
    again(7n, 'all'),
    ...LONG_NAMES.map((long) => writeJson({ [long]: 1n }).replace(/^\{(.*)\}$/su, '{$1,$1}')),
  ];
}
