import type { Parameter } from './operation.js';
import { isJsonObject, writeJson, type Json, type JsonObject } from './json.js';

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

/** A parameter as its style writes it (OpenAPI 3.1 §4.8.12.4, RFC 6570). */
export function writeParameter(parameter: Parameter, value: Json): ParameterText {
  const { name, in: location, isJson } = parameter;
  const isHeader = location === 'header';
  const write = (scalar: Json): string => {
    const text = textOf(scalar);
    return isHeader ? text : encode(text);
  };
  const json = isHeader ? writeJson(value) : encode(writeJson(value));
  switch (location) {
    case 'path':
      return { in: 'path', text: isJson ? json : writePath(parameter, value, write) };
    case 'header':
      return { in: 'header', text: isJson ? json : simple(parameter, value, write) };
    case 'query':
    case 'cookie':
      return {
        in: location,
        pairs: isJson ? [`${encode(name)}=${json}`] : writePairs(parameter, value, write),
      };
  }
}

export function textOf(scalar: Json): string {
  return typeof scalar === 'string' ? scalar : writeJson(scalar);
}

type Write = (scalar: Json) => string;

function simple({ explode }: Parameter, value: Json, write: Write): string {
  if (Array.isArray(value)) return value.map(write).join(',');
  if (!isJsonObject(value)) return write(value);
  return membersOf(value, write)
    .map((pair) => pair.join(explode ? '=' : ','))
    .join(',');
}

function membersOf(value: JsonObject, write: Write): [string, string][] {
  return Object.entries(value).map(([name, member]) => [write(name), write(member)]);
}

function writePath(parameter: Parameter, value: Json, write: Write): string {
  const { style, name, explode } = parameter;
  if (style === 'simple') return simple(parameter, value, write);
  const pairs = isJsonObject(value) ? membersOf(value, write) : undefined;
  const items = Array.isArray(value) ? value.map(write) : pairs?.flat();
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

function writePairs(parameter: Parameter, value: Json, write: Write): string[] {
  const { style, explode } = parameter;
  const name = encode(parameter.name);
  const delimiter = DELIMITERS[style] ?? ',';
  if (Array.isArray(value)) {
    const items = value.map(write);
    return explode ? items.map((item) => `${name}=${item}`) : [`${name}=${items.join(delimiter)}`];
  }
  if (!isJsonObject(value)) return [`${name}=${write(value)}`];
  const members = membersOf(value, write);
  if (style === 'deepObject') return members.map(([member, text]) => `${name}[${member}]=${text}`);
  return explode
    ? members.map((pair) => pair.join('='))
    : [`${name}=${members.flat().join(delimiter)}`];
}

/** Whether the style can write the value so that it is read again as the same one. */
export function isWritable(parameter: Parameter, value: Json): boolean {
  if (parameter.isJson) return parameter.in !== 'header' || isHeaderText(writeJson(value));
  const items = Array.isArray(value)
    ? value
    : isJsonObject(value)
      ? Object.values(value)
      : undefined;
  if (items === undefined) return isWritableText(parameter, textOf(value), value);
  // RFC 6570 §3.2.1: an empty list is as one that isn't there; and one empty item looks like none.
  if (items.length === 0 || (items.length === 1 && items[0] === '')) return false;
  const names = isJsonObject(value) ? Object.keys(value) : [];
  // They stand between brackets, which are found once they are decoded.
  if (parameter.style === 'deepObject' && names.some((name) => /^$|[[\]]/.test(name))) return false;
  return [...items.map(textOf), ...names].every(
    (text) => isWritableText(parameter, text, items) && !items.some(isNested),
  );
}

function isNested(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

function isWritableText({ in: location, style }: Parameter, text: string, whole: Json): boolean {
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
