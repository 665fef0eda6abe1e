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
  const pairs = Object.entries(value).flatMap(([name, member]) =>
    pairsOf(name, member, fieldOf(name)),
  );
  if (form.kind === 'urlencoded') {
    return { contentType: mediaType, body: String(new URLSearchParams(pairs)) };
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

function pairsOf(name: string, value: unknown, field: FormField | undefined): [string, string][] {
  const { style = 'form', explode = true, mediaType } = field ?? {};
  const delimiter = DELIMITERS[style] ?? ',';
  if (mediaType === undefined && isObject(value)) {
    const members = Object.entries(value).map(([member, one]) => [member, textOf(one)] as const);
    if (style === 'deepObject') return members.map(([one, text]) => [`${name}[${one}]`, text]);
    return explode
      ? members.map(([one, text]) => [one, text])
      : [[name, members.flat().join(delimiter)]];
  }
  if (!Array.isArray(value)) return [[name, textOf(value)]];
  return explode || mediaType !== undefined
    ? value.map((item) => [name, textOf(item)])
    : [[name, value.map(textOf).join(delimiter)]];
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value);
}
