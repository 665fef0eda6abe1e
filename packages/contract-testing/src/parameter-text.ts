import { isObject, type JsonObject } from './document.js';
import { writeJson } from './exact-json.js';

export type Location = 'path' | 'query' | 'header' | 'cookie';

/** What says how a parameter is written (OpenAPI 3.1 §4.8.12), or a field of a form (§4.8.15). */
export interface WrittenParameter {
  readonly name: string;
  readonly in: Location;
  readonly style: string;
  readonly explode: boolean;
  /** Of a parameter with `content`: it is written as JSON. */
  readonly isJson: boolean;
}

/** What a parameter adds to a request; each location takes its own. */
export type ParameterText =
  | { readonly in: 'path'; readonly text: string }
  | { readonly in: 'query'; readonly pairs: readonly string[] }
  | { readonly in: 'header'; readonly text: string }
  | { readonly in: 'cookie'; readonly pairs: readonly string[] };

/** RFC 3986 §2.3: all but the unreserved characters are encoded. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * A parameter as its style writes it (OpenAPI 3.1 §4.8.12.4, RFC 6570); integers of its value may be
 * `bigint`.
 */
export function writeParameter(parameter: WrittenParameter, value: unknown): ParameterText {
  const { name, in: location, isJson } = parameter;
  const isHeader = location === 'header';
  const write = (scalar: unknown): string => {
    const text = textOf(scalar);
    return isHeader ? text : encode(text);
  };
  const json = (): string => write(writeJson(value));
  switch (location) {
    case 'path':
      return { in: 'path', text: isJson ? json() : writePath(parameter, value, write) };
    case 'header':
      return { in: 'header', text: isJson ? json() : simple(parameter, value, write) };
    case 'query':
    case 'cookie':
      return {
        in: location,
        pairs: isJson ? [`${encode(name)}=${json()}`] : writePairs(parameter, value, write),
      };
  }
}

/** A string as it is, and of anything else its JSON. */
export function textOf(scalar: unknown): string {
  return typeof scalar === 'string' ? scalar : (writeJson(scalar) ?? '');
}

type Write = (scalar: unknown) => string;

function simple({ explode }: WrittenParameter, value: unknown, write: Write): string {
  if (Array.isArray(value)) return value.map(write).join(',');
  if (!isObject(value)) return write(value);
  return membersOf(value, write)
    .map((pair) => pair.join(explode ? '=' : ','))
    .join(',');
}

function membersOf(value: JsonObject, write: Write): [string, string][] {
  return Object.entries(value).map(([name, member]) => [write(name), write(member)]);
}

function writePath(parameter: WrittenParameter, value: unknown, write: Write): string {
  const { style, name, explode } = parameter;
  if (style === 'simple') return simple(parameter, value, write);
  const isList = Array.isArray(value);
  const pairs = !isList && isObject(value) ? membersOf(value, write) : undefined;
  const items = isList ? value.map(write) : pairs?.flat();
  if (style === 'label') {
    if (items === undefined) return `.${write(value)}`;
    if (explode)
      return (pairs?.map((pair) => pair.join('=')) ?? items).map((one) => `.${one}`).join('');
    return `.${items.join(',')}`;
  }
  const named = (text: string): string => `;${encode(name)}${text === '' ? '' : `=${text}`}`;
  if (items === undefined) return named(write(value));
  if (!explode) return named(items.join(','));
  return pairs?.map((pair) => `;${pair.join('=')}`).join('') ?? items.map(named).join('');
}

const DELIMITERS: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: '%20',
  pipeDelimited: '|',
};

function writePairs(parameter: WrittenParameter, value: unknown, write: Write): string[] {
  const { style, explode } = parameter;
  const name = encode(parameter.name);
  const delimiter = DELIMITERS[style] ?? ',';
  if (style === 'deepObject') return deepPairs(name, value, write);
  const repeated = (key: string, items: unknown[]): string[] =>
    items.map((item) => `${key}=${write(item)}`);
  if (Array.isArray(value)) {
    return explode ? repeated(name, value) : [`${name}=${value.map(write).join(delimiter)}`];
  }
  if (!isObject(value)) return [`${name}=${write(value)}`];
  return explode
    ? Object.entries(value).flatMap(([key, member]) => repeated(write(key), [member].flat()))
    : [`${name}=${membersOf(value, write).flat().join(delimiter)}`];
}

/** OpenAPI defines no more than the members of an object; what is in those is written as it is read. */
function deepPairs(name: string, value: unknown, write: Write): string[] {
  if (!isObject(value)) return [`${name}=${write(value)}`];
  return Object.entries(value).flatMap(([key, member]) =>
    deepPairs(`${name}[${write(key)}]`, member, write),
  );
}

/** Whether the style can write the value so that it is read again as the same one. */
export function isWritable(parameter: WrittenParameter, value: unknown): boolean {
  if (parameter.isJson) return parameter.in !== 'header' || isHeaderText(textOf(writeJson(value)));
  if (!isObject(value)) return isWritableText(parameter, textOf(value), value);
  const items = Object.values(value);
  // RFC 6570 §3.2.1: an empty list is as one that isn't there; and one empty item looks like none.
  if (items.length === 0 || (items.length === 1 && items[0] === '')) return false;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  // They stand between brackets, which are found once they are decoded.
  if (parameter.style === 'deepObject' && names.some((name) => /^$|[[\]]/.test(name))) return false;
  return [...items.map(textOf), ...names].every(
    (text) => isWritableText(parameter, text, items) && !items.some(isObject),
  );
}

function isWritableText(
  { in: location, style }: WrittenParameter,
  text: string,
  whole: unknown,
): boolean {
  const isList = Array.isArray(whole);
  switch (location) {
    case 'header':
      return isHeaderText(text) && !(isList && /[,=]|^$/.test(text));
    case 'path':
      // A dot is unreserved: encoded or not, it parts what style label writes. And no segment is empty.
      return text !== '' && !(style === 'label' && isList && text.includes('.'));
    case 'query':
      return !(isList && /^spaceDelimited$|^pipeDelimited$/.test(style) && /[ |+]/.test(text));
    case 'cookie':
      return true;
  }
}

/** RFC 9110 §5.5: visible characters, with no white space around them. */
function isHeaderText(text: string): boolean {
  return /^[!-~]([ -~]*[!-~])?$/.test(text);
}
