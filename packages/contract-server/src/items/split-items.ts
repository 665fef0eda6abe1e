import type { Sequence } from '../operation/media-type.js';
import type { EventFields } from './event-text.js';
import { RECORD_SEPARATOR } from './write-item.js';

/** The bytes aren't UTF-8, or don't follow each other as those of items do. */
export class SequenceError extends Error {
  override readonly name = 'SequenceError';
}

/**
 * Splits the bytes of a body into the texts of JSON values or the fields of events, as many at a time as
 * have come together. What of the media type's syntax says nothing, such as an empty line or a comment,
 * is left out.
 * @throws SequenceError
 */
export function splitItems(
  bytes: AsyncIterable<Uint8Array>,
  sequence: Sequence,
): AsyncGenerator<readonly (string | EventFields)[]> {
  // HTML §9.2.5: only a stream of events may begin with a byte order mark.
  const texts = decode(bytes, sequence !== 'events');
  switch (sequence) {
    case 'events':
      return splitEvents(splitAt('\n', joinLineEnds(texts)));
    case 'json-seq':
      return splitRecords(splitAt(RECORD_SEPARATOR, texts));
    case 'lines':
      return splitLines(splitAt('\n', texts));
  }
}

async function* splitLines(groups: AsyncIterable<readonly string[]>): AsyncGenerator<string[]> {
  for await (const lines of groups) yield lines.filter((line) => line.trim() !== '');
}

/** RFC 7464 §2.1: what stands before the first record separator is no text of the sequence. */
async function* splitRecords(groups: AsyncIterable<readonly string[]>): AsyncGenerator<string[]> {
  let isFirst = true;
  for await (const group of groups) {
    if (isFirst && group[0]?.trim() !== '') {
      throw new SequenceError('its first text has no record separator before it');
    }
    isFirst = false;
    yield group.filter((record) => record.trim() !== '');
  }
}

/** HTML §9.2.6; an event without data is none, and so is one that nothing ends. */
async function* splitEvents(
  groups: AsyncIterable<readonly string[]>,
): AsyncGenerator<EventFields[]> {
  let fields: EventFields = {};
  for await (const lines of groups) {
    const events: EventFields[] = [];
    for (const line of lines) {
      if (line !== '') fields = { ...fields, ...fieldOf(line, fields) };
      else {
        if (fields.data !== undefined) events.push(fields);
        fields = {};
      }
    }
    yield events;
  }
}

function fieldOf(line: string, { data }: EventFields): EventFields {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (name === 'data') return { data: data === undefined ? value : `${data}\n${value}` };
  if (name === 'event' && value !== '') return { event: value };
  if (name === 'id' && !value.includes('\0')) return { id: value };
  return name === 'retry' && /^\d+$/.test(value) ? { retry: Number(value) } : {};
}

/** What stands between the separators, as much as is whole; at last what stands behind the last one. */
async function* splitAt(
  separator: string,
  texts: AsyncIterable<string>,
): AsyncGenerator<readonly string[]> {
  let begun: string[] = [];
  for await (const text of texts) {
    const [end = '', ...others] = text.split(separator);
    begun.push(end);
    const last = others.pop();
    if (last === undefined) continue;
    yield [begun.join(''), ...others];
    begun = [last];
  }
  yield [begun.join('')];
}

/** Every end of a line, of the three that there are, as a line feed. */
async function* joinLineEnds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const text of texts) {
    const all = held + text;
    // What comes next decides whether it is the end of a line or half of one.
    held = all.endsWith('\r') ? '\r' : '';
    yield all.slice(0, all.length - held.length).replace(/\r\n?/g, '\n');
  }
  if (held !== '') yield '\n';
}

async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  ignoreBOM: boolean,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM });
  const read = (part?: Uint8Array): string => {
    try {
      return decoder.decode(part, { stream: part !== undefined });
    } catch (error) {
      throw new SequenceError('it is not valid UTF-8', { cause: error });
    }
  };
  for await (const part of bytes) yield read(part);
  yield read();
}
