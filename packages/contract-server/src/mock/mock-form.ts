import { isObject } from '../document/document.js';
import { writeJson } from '../json/json.js';
import type { Form, FormField } from '../operation/form.js';

const BOUNDARY = 'form-boundary';

/** A form as a client writes it, and the content type that it is sent with. */
export interface WrittenForm {
  readonly contentType: string;
  readonly body: string;
}

/** Writes a value as a form: each field in its style, or as JSON, and files as short texts. */
export function writeForm(
  form: Form,
  mediaType: string,
  value: Readonly<Record<string, unknown>>,
): WrittenForm {
  const fieldOf = (name: string): FormField | undefined =>
    form.fields.find((field) => field.name === name) ?? form.others;
  const notation = NOTATIONS[form.kind];
  const pairs = Object.entries(value).flatMap(([name, member]) =>
    pairsOf(name, member, fieldOf(name), notation),
  );
  if (form.kind === 'urlencoded') {
    return { contentType: mediaType, body: pairs.map((pair) => pair.join('=')).join('&') };
  }
  const parts = pairs.map(([name, text]) => {
    const field = fieldOf(name);
    const type = field?.contentTypes?.[0]?.replace('*', 'plain');
    const header = [
      `Content-Disposition: form-data; name="${name}"${field?.isFile === true ? '; filename="example"' : ''}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ];
    return `--${BOUNDARY}\r\n${header.join('\r\n')}\r\n\r\n${text}\r\n`;
  });
  return {
    contentType: `${mediaType}; boundary=${BOUNDARY}`,
    body: `${parts.join('')}--${BOUNDARY}--\r\n`,
  };
}

interface Notation {
  readonly encode: (text: string) => string;
  readonly space: string;
}

const NOTATIONS: Readonly<Record<Form['kind'], Notation>> = {
  urlencoded: { encode: encodeURIComponent, space: '%20' },
  multipart: { encode: (text) => text, space: ' ' },
};

function pairsOf(
  name: string,
  value: unknown,
  field: FormField | undefined,
  { encode, space }: Notation,
): [string, string][] {
  const { style = 'form', explode = true, mediaType, contentTypes } = field ?? {};
  const delimiter = { spaceDelimited: space, pipeDelimited: '|' }[style] ?? ',';
  const isSaidToBeJson = mediaType !== undefined && contentTypes !== undefined;
  const write = (one: unknown): string =>
    encode(typeof one === 'string' && !isSaidToBeJson ? one : writeJson(one));
  const key = encode(name);
  if (mediaType === undefined && isObject(value)) {
    const members = Object.entries(value).map(([one, part]) => [encode(one), write(part)] as const);
    if (style === 'deepObject') return members.map(([one, text]) => [`${key}[${one}]`, text]);
    return explode
      ? members.map(([one, text]) => [one, text])
      : [[key, members.flat().join(delimiter)]];
  }
  if (!Array.isArray(value)) return [[key, write(value)]];
  return explode || mediaType !== undefined
    ? value.map((item) => [key, write(item)])
    : [[key, value.map(write).join(delimiter)]];
}
