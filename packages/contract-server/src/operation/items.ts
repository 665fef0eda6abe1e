import type {
  ContractDocument,
  MediaTypeObject,
  ResponseObject,
  Schema,
} from '../document/document.js';
import { hasJsonData, isJsonEvent, typedEvents, validatedEvents } from './event-schema.js';
import { itemSchemaOf, sequenceOf, type Sequence } from './media-type.js';

/** What a contract says of the items of a body, one after the other. */
export interface DeclaredItems {
  readonly sequence: Sequence;
  /** Of an item as it is validated. */
  readonly schema: Schema;
  /** Of events: whether the data of one is JSON; undefined where it is text in all of them. */
  readonly isJson: ((event: { readonly data: unknown }) => boolean) | undefined;
}

/** Undefined where a media type has no items that are judged one by one. */
function itemsOf(
  document: ContractDocument,
  mediaType: string,
  declared: MediaTypeObject,
): DeclaredItems | undefined {
  const schema = itemSchemaOf(declared);
  const sequence = sequenceOf(mediaType);
  if (schema === undefined || sequence === undefined) return undefined;
  if (sequence !== 'events' || !hasJsonData(document, schema)) {
    return { sequence, schema: schema as Schema, isJson: undefined }; // what is a schema there, is one
  }
  const validated = validatedEvents(document, schema) as Schema; // of a schema comes a schema
  return {
    sequence,
    schema: validated,
    isJson: (event) => isJsonEvent(document, validated, event),
  };
}

/** What a `content` declares of items, by its media types. */
export function listItems(
  document: ContractDocument,
  content: Iterable<Content>,
): Map<string, DeclaredItems> {
  const all = new Map<string, DeclaredItems>();
  for (const [mediaType, declared] of content) {
    const items = itemsOf(document, mediaType, declared);
    if (items !== undefined) all.set(mediaType, items);
  }
  return all;
}

/** The schema of an item as handlers and clients have it; undefined where a media type has no items. */
export function typedItem(
  document: ContractDocument,
  mediaType: string,
  declared: MediaTypeObject,
): unknown {
  const schema = itemSchemaOf(declared);
  const sequence = sequenceOf(mediaType);
  if (schema === undefined || sequence === undefined) return undefined;
  const isJson = sequence === 'events' && hasJsonData(document, schema);
  return isJson ? typedEvents(document, schema) : schema;
}

/** What is wrong with the item schemas of an operation's bodies. */
export function itemProblems({
  requestBody,
  responses,
}: {
  readonly requestBody: { readonly content: Iterable<Content> } | undefined;
  readonly responses: ReadonlyMap<string, ResponseObject>;
}): string[] {
  const contents = [...responses.values()].flatMap(({ content }) => Object.entries(content ?? {}));
  return [...(requestBody?.content ?? []), ...contents].flatMap(([mediaType, declared]) => {
    const problems = encodingProblems(mediaType, declared);
    if (problems.length > 0 || itemSchemaOf(declared) === undefined) return problems;
    if (sequenceOf(mediaType) === undefined) {
      return [`${mediaType} has a schema of items, but is no sequence of JSON values or of events`];
    }
    if (declared.schema === undefined) return [];
    return [`${mediaType} has a schema of all its items together, which a stream can't be held to`];
  });
}

/** No body is read part by part but a form, whose parts have names and no parts of their own. */
function encodingProblems(mediaType: string, declared: MediaTypeObject): string[] {
  const byPosition = ['prefixEncoding', 'itemEncoding'];
  const ofParts = Object.entries(declared.encoding ?? {}).flatMap(([name, encoding]) =>
    ['encoding', ...byPosition]
      .filter((keyword) => keyword in encoding)
      .map((keyword) => `${keyword} in the encoding of ${name}`),
  );
  return [...byPosition.filter((keyword) => keyword in declared), ...ofParts].map(
    (what) => `${mediaType} has ${what}, which is not supported`,
  );
}

type Content = readonly [string, MediaTypeObject];
