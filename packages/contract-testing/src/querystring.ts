import { children, type JsonObject, type Place } from './document.js';
import { readJson, writeJson, type ExactJson } from './exact-json.js';
import { isForm } from './form-field.js';
import { readForm } from './read-form.js';
import { valueOf } from './message-values.js';
import { isJson, type Operation } from './operations.js';
import { writeForm } from './written-form.js';

/** A parameter that is the whole query, with one media type (OpenAPI 3.2.0 §4.12.1). */
export interface Querystring {
  readonly name: string;
  readonly parameter: Place;
  readonly contentType: string;
  readonly media: Place;
}

export function querystringOf(
  root: JsonObject,
  { parameters }: Operation,
): Querystring | undefined {
  const parameter = parameters.find(({ value }) => value.in === 'querystring');
  const [content] = parameter === undefined ? [] : children(root, parameter, 'content');
  if (parameter === undefined || content === undefined) return undefined;
  const [contentType, media] = content;
  return { name: String(parameter.value.name), parameter, contentType, media };
}

/** The query that says a value; of a form one like any other, of anything else its text as a whole. */
export async function writeQuerystring(
  root: JsonObject,
  { contentType, media }: Querystring,
  value: unknown,
): Promise<string> {
  if (isForm(contentType) && typeof value === 'object' && value !== null) {
    return String((await writeForm(root, media, contentType, value)).body);
  }
  return encodeURIComponent(typeof value === 'string' ? value : (writeJson(value) ?? ''));
}

/** What a query says; undefined where it isn't what its media type calls for, or can't be told. */
export function readQuerystring(
  root: JsonObject,
  { contentType, media }: Querystring,
  schema: Place,
  query: string,
): { readonly json: ExactJson | undefined; readonly isGuessed: boolean } {
  if (isForm(contentType)) return readForm(root, media, schema, contentType, query);
  try {
    const text = decodeURIComponent(query);
    const json = isJson(contentType) ? readJson(text) : valueOf(text, schema.value);
    return { json, isGuessed: !isJson(contentType) && !contentType.startsWith('text/') };
  } catch {
    return { json: undefined, isGuessed: false };
  }
}
