import type {
  ContractDocument,
  HeaderObject,
  ResponseObject,
  Schema,
} from '../document/document.js';
import { bodyKindOf } from './media-type.js';
import type { Operation, Parameter } from './operation.js';

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
}

/** A response's headers, their names in lower case, and its body in one value. */
export interface ResponseValue {
  header: Record<string, unknown>;
  body?: unknown;
}

/** Rewrites a schema of the contract that becomes a part of a message's schema. */
export type NormaliseSchema = (schema: Schema, isRequired: boolean) => Schema;

const asItIs: NormaliseSchema = (schema) => schema;

/** The schema of a {@link RequestValue} with a body of this media type, or without one. */
export function requestSchema(
  operation: Operation,
  mediaType: string | undefined,
  normalise = asItIs,
): Schema {
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
  const content = isChecked(mediaType) ? operation.requestBody?.content.get(mediaType) : undefined;
  return objectSchema(
    [
      ['path', parameters('path')],
      ['query', parameters('query')],
      ['header', parameters('header')],
      ['cookie', parameters('cookie')],
      ['body', content === undefined ? NOTHING : normalise(content.schema ?? {}, true)],
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

/** The schema of a {@link ResponseValue} with a body of this media type, or without one. */
export function responseSchema(
  document: ContractDocument,
  response: ResponseObject,
  mediaType: string | undefined,
  normalise = asItIs,
): Schema {
  const headers = [...declaredHeaders(document, response)];
  const content = isChecked(mediaType) ? response.content?.[mediaType] : undefined;
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

/** Whether a body of this media type is a part of the value: JSON and text are, bytes are streamed. */
function isChecked(mediaType: string | undefined): mediaType is string {
  return mediaType !== undefined && (isRange(mediaType) || bodyKindOf(mediaType) !== 'stream');
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

function schemaOf({ schema, content = {} }: HeaderObject): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}

/** A parameter's name in a message's value: header names have no case (RFC 9110 §5.1). */
export function nameIn(location: Parameter['in'], name: string): string {
  return location === 'header' ? name.toLowerCase() : name;
}

/** In both dialects the schema of no value at all. */
const NOTHING: Schema = { not: {} };

function objectSchema(
  properties: readonly (readonly [string, Schema])[],
  required: readonly string[],
  more: Schema = {},
): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    // OpenAPI 3.0 knows no empty list here.
    ...(required.length > 0 && { required }),
    ...more,
  };
}
