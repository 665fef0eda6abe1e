import type { Parameter } from './operation.js';
import { isJsonObject, type Json } from './json.js';
import { textOf } from '../parameter-text.js';

/** How many ways to read the texts of one value are looked at. */
const MAX_READINGS = 64;

/** What the texts of a parameter could be taken for: each a string, or what JSON says it is. */
export function readings({ isJson }: Parameter, value: Json): Json[] {
  if (isJson) return [value];
  if (Array.isArray(value)) {
    return product(value.map(scalarReadings));
  }
  if (!isJsonObject(value)) return scalarReadings(value);
  const names = Object.keys(value);
  return product(Object.values(value).map(scalarReadings)).map((members) =>
    Object.fromEntries(members.map((member, index) => [names[index] ?? '', member])),
  );
}

export function product(lists: readonly Json[][]): Json[][] {
  return lists.reduce<Json[][]>(
    (rows, list) => rows.flatMap((row) => list.map((one) => [...row, one])).slice(0, MAX_READINGS),
    [[]],
  );
}

function scalarReadings(value: Json): Json[] {
  const text = textOf(value);
  if (/^-?(0|[1-9]\d*)$/.test(text)) return [text, BigInt(text)];
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return [text, Number(text)];
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return text === 'null' ? [text, null] : [text];
}
