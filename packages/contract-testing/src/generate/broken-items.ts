import { duplicates, malformedTexts } from './broken-json.js';
import { breakages } from './broken-values.js';
import type { Way } from './case.js';
import { writeRequest, type Draft, type DraftBody } from './draft.js';
import { eventReadings, isWritableItems, joinItems, textOfItem } from './items.js';
import { isJsonObject, PLAIN, writeJson, type Json } from './json.js';
import { isEvents, isTextSequence } from './media-type.js';
import { membersOf } from './members.js';
import type { Schema } from './operation.js';
import { product } from './readings.js';
import { withBody, type TestRequest } from './request.js';
import type { Schemas } from './schemas.js';

/** A body that isn't the items that it should be, and the number of the first that is broken, if it is one. */
interface BrokenText {
  readonly broken: string;
  readonly text: string;
  readonly item?: number;
}

/** Bodies one of whose items is broken or breaks off, or whose items don't follow each other as they should. */
export function brokenItems(
  schemas: Schemas,
  draft: Draft,
  body: DraftBody,
  maxBodyBytes: number,
): Way[] {
  const { operation } = draft;
  const { mediaType, declared, value } = body;
  const items = Array.isArray(value) ? value : [];
  const itemSchema = itemsIn(declared.schema);
  const way = (
    broken: string,
    write: () => { readonly request: TestRequest; readonly item?: number | undefined } | undefined,
  ): Way => ({
    broken,
    make() {
      const { request, item } = write() ?? {};
      // One that is too large as well is broken in two ways.
      if (request === undefined || (request.body?.length ?? 0) > maxBodyBytes) return undefined;
      return { request, statuses: [400], operation, midStream: item === undefined ? {} : { item } };
    },
  });
  const texts = isEvents(mediaType)
    ? malformedData(schemas, body, items)
    : [...malformedItems(body, items), ...wrongFraming(schemas, body, items)];
  return [
    ...breakages(schemas, declared.schema, items).map(({ what, value: wrong }) =>
      way(`body ${what}`, () => {
        if (!isWritableItems(mediaType, wrong)) return undefined;
        if (isAccepted(schemas, declared.schema, mediaType, wrong)) return undefined;
        return {
          request: writeRequest({ ...draft, body: { ...body, value: wrong, minBytes: 0 } }),
          item: wrong.findIndex((one) => !schemas.accepts(itemSchema, one)),
        };
      }),
    ),
    ...texts.map(({ broken, text, item }) =>
      way(`items: ${broken}`, () => ({ request: withBody(writeRequest(draft), text), item })),
    ),
  ];
}

function itemsIn(schema: Schema): Schema {
  return (membersOf(schema).items ?? true) as Schema;
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

/** What isn't a field is passed over, and half an event at the end is none: only JSON in data is malformed. */
function malformedData(
  schemas: Schemas,
  { mediaType, declared }: DraftBody,
  items: readonly Json[],
): BrokenText[] {
  const event = items.at(-1);
  if (!isJsonObject(event) || !isJsonObject(event.data)) return [];
  return malformedTexts({ value: event.data, spelling: PLAIN })
    .map((data) => ({ ...event, data }))
    .filter((broken) => !schemas.accepts(itemsIn(declared.schema), broken))
    .map((broken) => ({
      broken: 'JSON',
      text: joinItems(
        mediaType,
        [...items.slice(0, -1), broken].map((item) => textOfItem(mediaType, item, PLAIN)),
      ),
      item: items.length - 1,
    }));
}

/** The last item malformed, with a member twice, or half there. */
function malformedItems({ mediaType, spelling }: DraftBody, items: readonly Json[]): BrokenText[] {
  const value = items.at(-1);
  if (value === undefined) return [];
  const written = { value, spelling: { ...spelling, space: '' } };
  const before = items.slice(0, -1).map((item) => textOfItem(mediaType, item, spelling));
  const text = textOfItem(mediaType, value, spelling);
  const withLast = (broken: string, last: string): BrokenText => ({
    ...{ broken, text: joinItems(mediaType, [...before, last]), item: before.length },
  });
  const cutOff = (length: number): BrokenText => {
    const half = withLast('half an item at the end', text.slice(0, length));
    return { ...half, text: half.text.trimEnd() };
  };
  const lengths = [1, Math.ceil(text.length / 2), text.length - 1];
  return [
    ...malformedTexts(written).map((malformed) => withLast('JSON', malformed)),
    ...duplicates(written).map((doubled) => withLast('member twice', doubled)),
    ...(/^[[{"]/.test(text) ? lengths.map(cutOff) : []),
    // RFC 7464 §2.4: without a line feed behind it, a number may be half of one.
    ...(isTextSequence(mediaType) && /\w$/.test(text) ? [cutOff(text.length)] : []),
  ];
}

/** Items that follow each other as they do in another media type, in an array, or in no media type at all. */
function wrongFraming(
  schemas: Schemas,
  { mediaType, declared, spelling }: DraftBody,
  items: readonly Json[],
): BrokenText[] {
  const texts = items.map((item) => textOfItem(mediaType, item, spelling));
  const [first = ''] = texts;
  const wrong = (text: string): BrokenText => ({ broken: 'framing', text, item: 0 });
  const asOne = (text: string): BrokenText => wrong(joinItems(mediaType, [text]));
  const isArray = !schemas.accepts(itemsIn(declared.schema), [...items]);
  return [
    ...(texts.length > 1 ? [asOne(texts.join(','))] : []),
    ...(isArray ? [asOne(writeJson([...items]))] : []),
    ...(isTextSequence(mediaType)
      ? [
          // That nothing begins the first text is said of the body, not of an item.
          { broken: 'framing', text: joinItems('application/jsonl', texts) },
          ...(texts.length > 1 ? [asOne(texts.join('\n'))] : []),
        ]
      : [
          wrong(joinItems('application/json-seq', texts)),
          ...(/^[[{]/.test(first) ? [asOne(`${first.slice(0, 1)}\n${first.slice(1)}`)] : []),
        ]),
  ];
}
