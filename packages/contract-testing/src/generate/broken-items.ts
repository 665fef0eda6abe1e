import { duplicates, malformedTexts } from './broken-json.js';
import { breakages } from './broken-values.js';
import type { Schema } from './operation.js';
import type { Way } from './case.js';
import { writeRequest, type Draft, type DraftBody } from './draft.js';
import { eventReadings, isWritableItems, joinItems, textOfItem } from './items.js';
import { isJsonObject, PLAIN, writeJson, type Json } from './json.js';
import { isEvents, isTextSequence } from './media-type.js';
import { membersOf } from './members.js';
import { product } from './readings.js';
import { withBody } from './request.js';
import type { Schemas } from './schemas.js';

const LINES = 'application/jsonl';
const TEXT_SEQUENCE = 'application/json-seq';

/** Bodies one of whose items is broken or breaks off, or whose items don't follow each other as they should. */
export function brokenItems(
  schemas: Schemas,
  draft: Draft,
  body: DraftBody,
  maxBodyBytes: number,
): Way[] {
  const { operation } = draft;
  const { mediaType, value, spelling } = body;
  const { schema } = body.declared;
  const itemSchema = (membersOf(schema).items ?? true) as Schema;
  const ways: Way[] = [];
  const add = (broken: string, text: string, item?: number): void => {
    const make = () => {
      const request = withBody(writeRequest(draft), text);
      // One that is too large as well is broken in two ways.
      if ((request.body?.length ?? 0) > maxBodyBytes) return undefined;
      const midStream = item === undefined ? {} : { item };
      return { request, statuses: [400], operation, midStream };
    };
    ways.push({ broken, make });
  };

  const valid = Array.isArray(value) ? value : [];
  for (const { what, value: wrong } of breakages(schemas, schema, valid)) {
    const make = () => {
      if (!isWritableItems(mediaType, wrong) || isAccepted(schemas, schema, mediaType, wrong)) {
        return undefined;
      }
      const request = writeRequest({ ...draft, body: { ...body, value: wrong, minBytes: 0 } });
      if ((request.body?.length ?? 0) > maxBodyBytes) return undefined;
      const item = wrong.findIndex((one) => !schemas.accepts(itemSchema, one));
      return { request, statuses: [400], operation, midStream: { item } };
    };
    ways.push({ broken: `body ${what}`, make });
  }

  const last = valid.length - 1;
  const lastItem = valid[last];
  const texts = valid.map((item) => textOfItem(mediaType, item, spelling));
  const text = texts[last] ?? '';
  if (lastItem === undefined) return ways;
  const withLast = (other: string): string =>
    joinItems(mediaType, [...texts.slice(0, last), other]);
  if (isEvents(mediaType)) {
    // What isn't a field is passed over, and half an event at the end is none: only its JSON can be malformed.
    if (!isJsonObject(lastItem) || !isJsonObject(lastItem.data)) return ways;
    const written = { value: lastItem.data, spelling: PLAIN };
    const withData = (data: string): string =>
      withLast(textOfItem(mediaType, { ...lastItem, data }, PLAIN));
    for (const malformed of malformedTexts(written)) {
      if (!isTakenAsText(schemas, itemSchema, lastItem, malformed))
        add('items: JSON', withData(malformed), last);
    }
    return ways;
  }
  const written = { value: lastItem, spelling: { ...spelling, space: '' } };
  for (const malformed of malformedTexts(written)) add('items: JSON', withLast(malformed), last);
  for (const doubled of duplicates(written)) add('items: member twice', withLast(doubled), last);
  if (/^[[{"]/.test(text)) {
    const whole = withLast(text).trimEnd();
    for (const length of [1, Math.ceil(text.length / 2), text.length - 1]) {
      const cut = whole.slice(0, whole.length - text.length + length);
      add('items: half an item at the end', cut, last);
    }
  }
  const asOther = joinItems(isTextSequence(mediaType) ? LINES : TEXT_SEQUENCE, texts);
  add('items: framing', asOther);
  if (valid.length > 1) add('items: framing', joinItems(mediaType, [texts.join(',')]), 0);
  if (!schemas.accepts(itemSchema, valid)) {
    add('items: framing', joinItems(mediaType, [writeJson(valid)]), 0);
  }
  if (isTextSequence(mediaType)) {
    if (valid.length > 1) add('items: framing', joinItems(mediaType, [texts.join('\n')]), 0);
    // RFC 7464 §2.4: without a line feed behind it, a number may be half of one.
    if (/\w$/.test(text)) add('items: half an item at the end', withLast(text).trimEnd(), last);
  } else if (/^[[{]/.test(text)) {
    add('items: framing', withLast(`${text.slice(0, 1)}\n${text.slice(1)}`), last);
  }
  return ways;
}

/** Whether items that the schema refuses are read as others, which it accepts. */
function isAccepted(
  schemas: Schemas,
  schema: Schema,
  mediaType: string,
  items: readonly Json[],
): boolean {
  if (!isEvents(mediaType)) return schemas.accepts(schema, [...items]);
  return product(items.map(eventReadings)).some((reading) => schemas.accepts(schema, reading));
}

function isTakenAsText(schemas: Schemas, schema: Schema, event: Json, data: string): boolean {
  return isJsonObject(event) && schemas.accepts(schema, { ...event, data });
}
