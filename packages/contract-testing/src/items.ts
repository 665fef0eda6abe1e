import { createParser } from 'eventsource-parser';
import { child, isObject, type JsonObject, type Place } from './document.js';
import { readJson, writeJson, type ExactJson } from './exact-json.js';

/** The schema of each item of a body; undefined where its media type has none (OpenAPI 3.2.0 §4.14.3.1). */
export function itemSchema(root: JsonObject, mediaType: Place): Place | undefined {
  return child(root, mediaType, 'itemSchema') ?? child(root, mediaType, 'x-item-schema');
}

/** Whether a body of this media type is items that follow each other. */
export function isSequence(contentType: string): boolean {
  return (
    isEvents(contentType) ||
    /^application\/(?:jsonl|x-ndjson|(?:\S+\+)?json-seq)\b/i.test(contentType)
  );
}

/**
 * The items of a body; an event is an object of its fields, its data a text (§4.14.4).
 * @throws Error where one of them isn't JSON
 */
export function readItems(contentType: string, text: string): ExactJson[] {
  if (isEvents(contentType)) return readEvents(text);
  return text
    .split(isRecords(contentType) ? '\x1e' : '\n')
    .filter((item) => item.trim() !== '')
    .map(readJson);
}

/** The body that has these items; data of an event that isn't a text is written as JSON. */
export function writeItems(contentType: string, items: readonly unknown[]): string {
  if (isEvents(contentType)) return items.map(writeEvent).join('');
  const begin = isRecords(contentType) ? '\x1e' : '';
  return items.map((item) => `${begin}${writeJson(item)}\n`).join('');
}

export function isEvents(contentType: string): boolean {
  return /^text\/event-stream\b/i.test(contentType);
}

function isRecords(contentType: string): boolean {
  return /json-seq\b/i.test(contentType);
}

function readEvents(text: string): ExactJson[] {
  const events: ExactJson[] = [];
  let retry: number | undefined;
  const parser = createParser({
    onRetry: (ms) => (retry = ms),
    onEvent({ event, id, data }) {
      const fields = { event, id, data, retry };
      const value = Object.fromEntries(
        Object.entries(fields).filter(([, field]) => field !== undefined),
      );
      events.push({ value, numbers: new Map(retry === undefined ? [] : [['/retry', `${retry}`]]) });
      retry = undefined;
    },
  });
  parser.feed(text);
  return events;
}

function writeEvent(event: unknown): string {
  if (!isObject(event)) return `data: ${String(event)}\n\n`;
  const lines = Object.entries(event).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : (writeJson(value) ?? '');
    return text.split('\n').map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}
