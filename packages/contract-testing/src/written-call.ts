import type { Call } from './client-types.js';
import { child, isObject, type JsonObject } from './document.js';
import { plainOf, writeJson } from './exact-json.js';
import { isForm } from './form-field.js';
import { isSequence, writeItems } from './items.js';
import { declaredMediaType, isJson, type Operation } from './operations.js';
import {
  writeParameter,
  type Location,
  type ParameterText,
  type WrittenParameter,
} from './parameter-text.js';
import { querystringOf, writeQuerystring } from './querystring.js';
import { writeForm } from './written-form.js';

/** What a call sends beside its method. */
export interface WrittenCall {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly contentType: string; readonly content: string | Buffer } | undefined;
}

/**
 * Writes a call as its operation declares it: each parameter in its style, and the body in the media type
 * that the call's headers say, or the first that is JSON, a form, or items.
 * @throws Error where a parameter of the path is missing
 */
export async function writeCall(
  root: JsonObject,
  operation: Operation,
  { body, headers = {}, query = {}, params = {}, cookies = {} }: Call<unknown>,
): Promise<WrittenCall> {
  const write = (location: Location, values: object): [string, ParameterText][] =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]: [string, unknown]) => {
        const parameter = parameterOf(operation, location, name, value);
        return [name, writeParameter(parameter, plainOf(value))];
      });
  const segments = new Map(write('path', params));
  const path = operation.pathTemplate.replace(/\{([^}]*)\}/g, (_part, name: string) => {
    const segment = segments.get(name);
    if (segment?.in !== 'path') throw new Error(`${operation.operationId} needs params.${name}`);
    return segment.text;
  });
  const querystring = querystringOf(root, operation);
  const whole = query[querystring?.name ?? ''];
  const pairs =
    querystring === undefined || whole === undefined
      ? write('query', query).flatMap(pairsOf)
      : [await writeQuerystring(root, querystring, whole)];
  const crumbs = write('cookie', cookies).flatMap(pairsOf);
  const texts = new Map(
    write('header', headers).map(([name, text]) => [name, text.in === 'header' ? text.text : '']),
  );
  return {
    target: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    headers: {
      ...Object.fromEntries(texts),
      ...(crumbs.length > 0 && { Cookie: crumbs.join('; ') }),
    },
    body: await writeBody(root, operation, contentTypeIn(texts), body),
  };
}

function pairsOf([, text]: [string, ParameterText]): readonly string[] {
  return 'pairs' in text ? text.pairs : [];
}

function contentTypeIn(headers: ReadonlyMap<string, string>): string | undefined {
  return [...headers].find(([name]) => /^content-type$/i.test(name))?.[1];
}

/** How a parameter is declared to be written; one that isn't declared, as is usual in its location. */
function parameterOf(
  { parameters }: Operation,
  location: Location,
  name: string,
  value: unknown,
): WrittenParameter {
  const isSame = (other: unknown): boolean =>
    location === 'header'
      ? String(other).toLowerCase() === name.toLowerCase()
      : String(other) === name;
  const declared = parameters.find(
    ({ value: parameter }) => parameter.in === location && isSame(parameter.name),
  )?.value;
  const isPair = location === 'query' || location === 'cookie';
  const isUnknownObject = declared === undefined && isObject(value) && !Array.isArray(value);
  const usual = !isPair ? 'simple' : isUnknownObject ? 'deepObject' : 'form';
  const style = typeof declared?.style === 'string' ? declared.style : usual;
  const explode = declared?.explode ?? style === 'form';
  const [mediaType] = isObject(declared?.content) ? Object.keys(declared.content) : [];
  const isOfJson = mediaType !== undefined && isJson(mediaType);
  return { name, in: location, style, explode: explode === true, isJson: isOfJson };
}

async function writeBody(
  root: JsonObject,
  operation: Operation,
  given: string | undefined,
  body: unknown,
): Promise<WrittenCall['body']> {
  if (body === undefined) return undefined;
  const { requestBody } = operation;
  const content = requestBody && child(root, requestBody, 'content');
  const contentType = given ?? usualMediaType(Object.keys(content?.value ?? {}));
  if (isForm(contentType) && isObject(body)) {
    const media = content && child(root, content, declaredMediaType(content, contentType) ?? '');
    const form = await writeForm(root, media, contentType, body);
    return { contentType: form.contentType, content: form.body };
  }
  const isItems = Array.isArray(body) && isSequence(contentType);
  const text = isItems ? writeItems(contentType, body) : (writeJson(body) ?? '');
  return { contentType, content: text };
}

/** JSON where the operation takes it, and a form or items where it takes those instead. */
function usualMediaType(declared: readonly string[]): string {
  return declared.find(isJson) ?? declared.find(isForm) ?? declared.find(isSequence) ?? JSON_TYPE;
}

const JSON_TYPE = 'application/json';
