import { isJsonObject, readJson, writeJson, type Json, type Spelling } from './json.js';
import { isEvents, isTextSequence } from './media-type.js';
import { textOf } from '../parameter-text.js';

/** RFC 7464 §2.2: begins each text of a sequence. */
const RECORD_SEPARATOR = '\x1e';

/** Items as a handler returns them, as often as it wants to. */
export class Items {
  constructor(readonly list: readonly Json[]) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Json> {
    for (const item of this.list) yield await Promise.resolve(item);
  }
}

/** Whether a body of this media type can say the items, so that they are read again as the same ones. */
export function isWritableItems(mediaType: string, items: Json): items is Json[] {
  // A body without items is no body.
  if (!Array.isArray(items) || items.length === 0) return false;
  return !isEvents(mediaType) || items.every(isWritableEvent);
}

/** HTML §9.2.6: an event without data is none, and what isn't a field is passed over. */
function isWritableEvent(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  const { event = 'message', data, id = '', retry = 0n, ...others } = item;
  return (
    Object.keys(others).length === 0 &&
    data !== undefined &&
    !(typeof data === 'string' && data.includes('\r')) &&
    typeof event === 'string' &&
    !/^$|[\r\n]/.test(event) &&
    typeof id === 'string' &&
    !/[\r\n\0]/.test(id) &&
    typeof retry === 'bigint' &&
    retry >= 0n &&
    retry < 2n ** 53n
  );
}

export function writeItems(mediaType: string, items: readonly Json[], spelling: Spelling): string {
  return joinItems(
    mediaType,
    items.map((item) => textOfItem(mediaType, item, spelling)),
    spelling.space === '' ? '\n' : '\r\n',
  );
}

/** One item on a line of its own, or an event on one line for each of its fields. */
export function textOfItem(mediaType: string, item: Json, spelling: Spelling): string {
  if (!isEvents(mediaType) || !isJsonObject(item)) {
    return writeJson(item, { ...spelling, space: spelling.space.replace(/[\r\n]/g, '') });
  }
  const lines = Object.entries(item).flatMap(([name, value]) =>
    textOf(value)
      .split('\n')
      .map((line) => `${name}: ${line}`),
  );
  return lines.join('\n');
}

/** The body that has items of these texts. */
export function joinItems(mediaType: string, texts: readonly string[], lineEnd = '\n'): string {
  const begin = isTextSequence(mediaType) ? RECORD_SEPARATOR : '';
  const end = isEvents(mediaType) ? '\n\n' : '\n';
  return texts.map((text) => begin + `${text}${end}`.replaceAll('\n', lineEnd)).join('');
}

/** What the data of an event could be taken for: a text, or what its JSON says. */
export function eventReadings(item: Json): Json[] {
  if (!isJsonObject(item) || item.data === undefined) return [item];
  const text = textOf(item.data);
  try {
    return [text, readJson(text)].map((data) => ({ ...item, data }));
  } catch {
    return [{ ...item, data: text }];
  }
}
