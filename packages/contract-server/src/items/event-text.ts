import { isObject } from '../document/document.js';
import type { SplitValue } from '../json/exact-integers.js';
import { readJson, writeAndRead, writeJson } from '../json/json.js';
import type { DeclaredItems } from '../operation/items.js';

/** The fields of an event (HTML §9.2.6). */
export interface EventFields {
  readonly event?: string;
  readonly data?: string;
  readonly id?: string;
  readonly retry?: number;
}

const FIELDS = ['event', 'data', 'id', 'retry'];

/**
 * Writes an event so that it is read back the same.
 * @throws TypeError, JsonError where it can't be
 */
export function writeEvent(declared: DeclaredItems, item: unknown): { text: string } & SplitValue {
  if (!isObject(item)) throw new TypeError('an event must be an object');
  const unknown = Object.keys(item).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new TypeError(`an event has no field ${unknown}`);
  const fields = {
    ...textField(item, 'event', /[\r\n]/),
    ...textField(item, 'id', /[\r\n\0]/),
    ...(item.retry !== undefined && { retry: retryOf(item.retry) }),
    ...(item.data !== undefined && { data: dataText(declared, item) }),
  };
  if (fields.event === '') throw new TypeError('the event of an event must not be empty');
  const { data, ...others } = fields;
  const lines = Object.entries(others).map(([name, value]) => `${name}: ${value}`);
  for (const line of data?.split('\n') ?? []) lines.push(`data: ${line}`);
  if (lines.length === 0) throw new TypeError('an event must have a field');
  return { text: `${lines.join('\n')}\n\n`, ...eventValue(declared, fields) };
}

/** An event as it is validated: where its data may be JSON, what it says stands beside its text. */
export function eventValue(
  { isJson }: DeclaredItems,
  { data, ...others }: EventFields,
): SplitValue {
  if (data === undefined) return { value: { ...others }, integers: undefined };
  if (isJson === undefined) return { value: { ...others, data }, integers: undefined };
  try {
    const { value, integers } = readJson(data);
    return {
      value: { ...others, data: { text: data, json: value } },
      integers: integers && { data: { json: integers } },
    };
  } catch {
    return { value: { ...others, data: { text: data } }, integers: undefined };
  }
}

/** What makes of an event that was validated what a handler gets: its data is the text, or its JSON. */
export function givenEvent({ isJson }: DeclaredItems, event: unknown): (event: unknown) => unknown {
  if (isJson === undefined || !isObject(event) || !isObject(event.data)) return (given) => given;
  const part = isJson({ data: event.data, ...event }) ? 'json' : 'text';
  return (given) =>
    isObject(given) && isObject(given.data) ? { ...given, data: given.data[part] } : given;
}

/** A text stays as it is, unless the contract takes it for JSON. Everything else is JSON. */
function dataText({ isJson }: DeclaredItems, event: Readonly<Record<string, unknown>>): string {
  const { data } = event;
  if (isJson === undefined) {
    return checkText('data', data, /\r/);
  }
  const { text, value } = writeAndRead(data);
  const isText = typeof data === 'string' && !isJson({ ...event, data: { text, json: value } });
  return isText ? checkText('data', data, /\r/) : text;
}

function textField(
  item: Readonly<Record<string, unknown>>,
  name: 'event' | 'id',
  forbidden: RegExp,
): EventFields {
  return item[name] === undefined ? {} : { [name]: checkText(name, item[name], forbidden) };
}

/** HTML §9.2.6: a reader takes these characters for the end of a line, or ignores the field. */
function checkText(name: string, value: unknown, forbidden: RegExp): string {
  if (typeof value !== 'string') throw new TypeError(`the ${name} of an event must be a string`);
  if (forbidden.test(value) || !value.isWellFormed()) {
    throw new TypeError(`the ${name} of an event has a character that can't be sent`);
  }
  return value;
}

/** HTML §9.2.6: digits only. */
function retryOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value + 0;
  throw new TypeError(`the retry of an event must be an integer, not ${writeJson(value)}`);
}
