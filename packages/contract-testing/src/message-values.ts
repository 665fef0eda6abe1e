import { isObject, type JsonObject, type Place } from './document.js';
import type { ExactJson } from './exact-json.js';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** The text of a header or parameter as the value that its schema means (OpenAPI 3.1 §4.8.24). */
export function valueOf(text: string, schema: JsonObject): ExactJson {
  const types = typesOf(schema);
  if ((types.includes('integer') || types.includes('number')) && JSON_NUMBER.test(text)) {
    return { value: Number(text), numbers: new Map([['', text]]) };
  }
  if (types.includes('boolean') && /^(true|false)$/.test(text)) {
    return { value: text === 'true', numbers: new Map() };
  }
  if (text === 'null' && (types.includes('null') || schema.nullable === true)) {
    return { value: null, numbers: new Map() };
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
 * False for the parameters that aren't read here: objects, cookies, `content`, the styles of paths, and
 * what is one of several schemas, of which a text doesn't say which.
 */
export function isRead({ value: parameter }: Place, schema: JsonObject): boolean {
  const isKnown = DELIMITERS[styleOf(parameter)] !== undefined && parameter.in !== 'cookie';
  return isKnown && !isComposed(schema) && !typesOf(schema).includes('object');
}

export function isComposed(schema: JsonObject): boolean {
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);
}

/** The texts that a request has for a parameter: several for an array, none where it isn't sent. */
export function textsOf(
  { value: parameter }: Place,
  schema: JsonObject,
  { path, query, headers }: Sources,
): readonly string[] {
  const name = String(parameter.name);
  const style = styleOf(parameter);
  const read: Readonly<Record<string, () => readonly (string | undefined)[]>> = {
    path: () => [path[name]],
    query: () => query.getAll(name),
    header: () => [headers[name.toLowerCase()]],
  };
  const texts = (read[String(parameter.in)]?.() ?? []).filter((text) => text !== undefined);
  const { explode = style === 'form' } = parameter;
  const isRepeated = parameter.in === 'query' && explode === true;
  if (isRepeated || !typesOf(schema).includes('array')) return texts;
  return texts.flatMap((text) => text.split(DELIMITERS[style] ?? ','));
}

/** OpenAPI 3.1 §4.8.12.2 has a default for each place. */
function styleOf({ style, in: where }: JsonObject): string {
  return typeof style === 'string' ? style : where === 'query' ? 'form' : 'simple';
}

function typesOf({ type }: JsonObject): unknown[] {
  return [type].flat();
}
