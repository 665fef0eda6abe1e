import { isObject, type JsonObject, type Place } from './document.js';
import type { ExactJson } from './exact-json.js';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** The text of a header or parameter as the value that its schema means (OpenAPI 3.1 §4.8.24). */
export function valueOf(text: string, schema: JsonObject): ExactJson {
  const types = [schema.type].flat();
  if ((types.includes('integer') || types.includes('number')) && JSON_NUMBER.test(text)) {
    return { value: Number(text), numbers: new Map([['', text]]) };
  }
  if (types.includes('boolean') && /^(true|false)$/.test(text)) {
    return { value: text === 'true', numbers: new Map() };
  }
  return { value: text, numbers: new Map() };
}

/** The values of an array that was written as several texts. */
export function arrayOf(texts: readonly string[], schema: JsonObject): ExactJson {
  const items = texts.map((text) => valueOf(text, isObject(schema.items) ? schema.items : {}));
  return {
    value: items.map(({ value }) => value),
    numbers: new Map(
      items.flatMap(({ numbers }, n) =>
        [...numbers.values()].map((text) => [`/${n}`, text] as const),
      ),
    ),
  };
}

/** Where a request's parameters are, as texts. */
export interface Sources {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  form: ',',
  simple: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

/**
 * The texts that a request has for a parameter: several for an array, none where it isn't sent.
 * Undefined for what isn't judged here: objects, cookies, `content`, and the styles of paths.
 */
export function textsOf(
  { value: parameter }: Place,
  schema: JsonObject,
  { path, query, headers }: Sources,
): readonly string[] | undefined {
  const name = String(parameter.name);
  const isQuery = parameter.in === 'query';
  const { style = isQuery ? 'form' : 'simple', explode = style === 'form' } = parameter;
  const types = [schema.type].flat();
  const delimiter = DELIMITERS[String(style)];
  if (delimiter === undefined || types.includes('object')) return undefined;
  const read: Readonly<Record<string, () => readonly (string | undefined)[]>> = {
    path: () => [path[name]],
    query: () => query.getAll(name),
    header: () => [headers[name.toLowerCase()]],
  };
  const texts = read[String(parameter.in)]?.().filter((text) => text !== undefined);
  if (texts === undefined || !types.includes('array') || (isQuery && explode === true))
    return texts;
  return texts.flatMap((text) => text.split(delimiter));
}
