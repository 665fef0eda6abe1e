import type {
  ContractDocument,
  HeaderObject,
  MediaTypeObject,
  ResponseObject,
  Schema,
} from '../document/document.js';
import { listItems, type DeclaredItems } from './items.js';
import { bodyKindOf, formKindOf } from './media-type.js';
import { NOTHING, objectSchema, schemaOf } from './object-schema.js';
import type { Operation, Parameter } from './operation.js';
import { partHeadersSchema } from './part-headers.js';

/**
 * Everything of a request that the contract describes, in one value, so that one schema validates it:
 * the validator's own handling of parameters knows few styles and no int64. Header names are in lower
 * case; a parameter that wasn't sent, and a body that isn't there, are absent.
 */
export interface RequestValue {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  cookie: Record<string, unknown>;
  body?: unknown;
  /** Where the contract describes headers of a form's parts: by the field's name, those of each part. */
  parts?: unknown;
}

/** A response's headers, their names in lower case, and its body in one value. */
export interface ResponseValue {
  header: Record<string, unknown>;
  body?: unknown;
}

/** What an item of a body is called among the messages of its operation, beside their media types. */
export function itemMessage(mediaType: string): string {
  return `item of ${mediaType}`;
}

/** The messages of a request: with a body of each media type, or of none, and each item of a body. */
export function requestMessages(
  document: ContractDocument,
  { requestBody }: Operation,
): (string | undefined)[] {
  const content = requestBody?.content ?? new Map<string, MediaTypeObject>();
  const messages = [...content.keys(), ...itemMessages(document, content).keys()];
  // A body that is required and not there is refused before anyone asks the validator.
  return requestBody?.required === true ? messages : [undefined, ...messages];
}

/** The messages of a response: with a body of each media type, or of none, and each item of a body. */
export function responseMessages(
  document: ContractDocument,
  { content = {} }: ResponseObject,
): (string | undefined)[] {
  const mediaTypes = Object.keys(content);
  // OpenAPI 3.1 §4.8.17: a response that declares content has one of these media types.
  if (mediaTypes.length === 0) return [undefined];
  return [...mediaTypes, ...itemMessages(document, Object.entries(content)).keys()];
}

function itemMessages(
  document: ContractDocument,
  content: Iterable<readonly [string, MediaTypeObject]>,
): ReadonlyMap<string, DeclaredItems> {
  const items = [...listItems(document, content)];
  return new Map(items.map(([mediaType, declared]) => [itemMessage(mediaType), declared]));
}

/** Rewrites a schema of the contract that becomes a part of a message's schema. */
export type NormaliseSchema = (schema: Schema, isRequired: boolean) => Schema;

const asItIs: NormaliseSchema = (schema) => schema;

/** The schema of a {@link RequestValue}, which is one of the {@link requestMessages}. */
export function requestSchema(
  document: ContractDocument,
  operation: Operation,
  mediaType: string | undefined,
  normalise = asItIs,
): Schema {
  const items = itemMessages(document, operation.requestBody?.content ?? []).get(mediaType ?? '');
  if (items !== undefined) return itemSchema(items, normalise);
  const parameters = (location: Parameter['in']): Schema => {
    const located = operation.parameters.filter((parameter) => parameter.in === location);
    return objectSchema(
      located.map(({ name, schema, required }) => [
        nameIn(location, name),
        normalise(schema, required),
      ]),
      located.filter(({ required }) => required).map(({ name }) => nameIn(location, name)),
      // A header or a cookie that the contract doesn't name is none of its business; a query
      // parameter is most likely a misspelled one.
      location === 'query' ? { additionalProperties: false } : {},
    );
  };
  const content = checkedBody(mediaType, (type) => operation.requestBody?.content.get(type), true);
  const parts = content && partHeadersSchema(document, mediaType ?? '', content, normalise);
  return objectSchema(
    [
      ['path', parameters('path')],
      ['query', parameters('query')],
      ['header', parameters('header')],
      ['cookie', parameters('cookie')],
      ['body', content === undefined ? NOTHING : normalise(content.schema ?? {}, true)],
      ...(parts === undefined ? [] : [['parts', parts] as const]),
    ],
    [
      'path',
      'query',
      'header',
      'cookie',
      ...(content === undefined || isRange(mediaType) ? [] : ['body']),
    ],
  );
}

/** The schema of a {@link ResponseValue}, which is one of the {@link responseMessages}. */
export function responseSchema(
  document: ContractDocument,
  response: ResponseObject,
  mediaType: string | undefined,
  normalise = asItIs,
): Schema {
  const items = itemMessages(document, Object.entries(response.content ?? {}));
  const ofItem = items.get(mediaType ?? '');
  if (ofItem !== undefined) return itemSchema(ofItem, normalise);
  const headers = [...declaredHeaders(document, response)];
  const content = checkedBody(mediaType, (type) => response.content?.[type]);
  return objectSchema(
    [
      [
        'header',
        objectSchema(
          headers.map(([name, header]) => [name, normalise(schemaOf(header), true)]),
          headers.filter(([, { required }]) => required === true).map(([name]) => name),
        ),
      ],
      ['body', content === undefined ? NOTHING : normalise(content.schema ?? {}, true)],
    ],
    ['header', ...(content === undefined || isRange(mediaType) ? [] : ['body'])],
  );
}

/** The schema of an item, as the body of a message that has nothing else. */
function itemSchema({ schema }: DeclaredItems, normalise: NormaliseSchema): Schema {
  return objectSchema([['body', normalise(schema, true)]], ['body']);
}

/** A body that is a part of the value: JSON, text and, in a request, forms are; items come later, bytes are streamed. */
function checkedBody(
  mediaType: string | undefined,
  find: (mediaType: string) => MediaTypeObject | undefined,
  isRequest = false,
): MediaTypeObject | undefined {
  const declared = mediaType === undefined ? undefined : find(mediaType);
  if (mediaType === undefined || isRange(mediaType)) return declared;
  if (isRequest && formKindOf(mediaType) !== undefined) return declared;
  return ['json', 'text'].includes(bodyKindOf(mediaType, declared)) ? declared : undefined;
}

/** Whether a body of this media type may or may not be a part of the value, as its own type decides. */
function isRange(mediaType: string | undefined): boolean {
  return mediaType?.includes('*') === true;
}

/** The headers that a response declares, by name in lower case, references resolved. */
export function declaredHeaders(
  document: ContractDocument,
  response: ResponseObject,
): Map<string, HeaderObject> {
  const headers = new Map<string, HeaderObject>();
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const lowerName = name.toLowerCase();
    // OpenAPI 3.1 §4.8.17: a header named Content-Type is ignored, `content` says it.
    if (lowerName !== 'content-type') headers.set(lowerName, document.resolve(header));
  }
  return headers;
}

/** A parameter's name in a message's value: header names have no case (RFC 9110 §5.1). */
export function nameIn(location: Parameter['in'], name: string): string {
  return location === 'header' ? name.toLowerCase() : name;
}
