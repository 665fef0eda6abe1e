import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject, type Place } from './document.js';
import { plainOf, writeJson } from './exact-json.js';
import { formFields, isMultipart, type FormField } from './form-field.js';
import { textOf, writeParameter } from './parameter-text.js';

/** A body as a form writes it, and its media type with what tells the parts apart. */
export interface WrittenForm {
  readonly contentType: string;
  readonly body: string | Buffer;
}

/**
 * Writes an object as a form, each member as the encoding of its field says. Where that says nothing, a
 * list is several fields, an object is JSON, and a Blob is a file. An empty list is no field.
 * @throws Error where an item has the delimiter of its style in it
 */
export async function writeForm(
  root: JsonObject,
  media: Place | undefined,
  contentType: string,
  value: object,
): Promise<WrittenForm> {
  const fieldOf = formFields(root, media, contentType);
  const fields = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]: [string, unknown]) => ({
      field: fieldOf(name),
      member: plainOf(member),
    }));
  if (!isMultipart(contentType)) {
    const pairs = fields.flatMap(({ field, member }) =>
      field.isStyled
        ? styledPairs(field, member)
        : textsOf(field, member).map(({ text }) => formPair(field.name, text)),
    );
    return { contentType, body: pairs.join('&') };
  }
  const boundary = randomUUID();
  const parts = fields.flatMap(({ field, member }) => partsOf(field, member));
  const written = await Promise.all(parts.map((part) => writePart(boundary, part)));
  return {
    contentType: `${contentType}; boundary=${boundary}`,
    body: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function formPair(name: string, text: string): string {
  return String(new URLSearchParams([[name, text]]));
}

interface FieldText {
  readonly text: string;
  readonly isJson: boolean;
}

/** A text for each item of a list; a list of lists, and an empty one, can only be JSON as a whole. */
function textsOf(field: FormField, value: unknown): FieldText[] {
  const isWhole = Array.isArray(value) && (value.length === 0 || value.some(Array.isArray));
  const items: unknown[] = Array.isArray(value) && !(field.isJson && isWhole) ? value : [value];
  return items.map((item) => {
    const isJson = field.isJson || isObject(item);
    return { text: isJson ? (writeJson(item) ?? '') : textOf(item), isJson };
  });
}

/** What parts the items that stand in one text, where it can't be told from a part of one of them. */
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function styledPairs(
  field: FormField,
  value: unknown,
  delimiter = DELIMITERS[field.style],
): string[] {
  const { name, style, explode } = field;
  if (Array.isArray(value) && value.length === 0) return [];
  const pieces = isObject(value) ? [...Object.values(value), ...Object.keys(value)] : [];
  const wrong = pieces
    .map(textOf)
    .find((text) => !explode && delimiter !== undefined && text.includes(delimiter));
  if (wrong !== undefined) {
    throw new Error(`${name} can't be written in style ${style}: "${wrong}" has its delimiter`);
  }
  const written = writeParameter(field, value);
  return written.in === 'query' ? [...written.pairs] : [];
}

interface FormPart {
  readonly name: string;
  readonly content: string | Blob;
  readonly mediaType: string | undefined;
}

function partsOf(field: FormField, value: unknown): FormPart[] {
  const { name, isStyled, mediaTypes } = field;
  const mediaType = mediaTypes.find((one) => !one.includes('*'));
  const items: unknown[] = [value].flat();
  if (items.some((item) => item instanceof Blob)) {
    return items.map((item) => ({
      name,
      content: item instanceof Blob ? item : textOf(item),
      mediaType,
    }));
  }
  if (!isStyled) {
    return textsOf(field, value).map(({ text, isJson }) => ({
      name,
      content: text,
      mediaType: mediaType ?? (isJson ? 'application/json' : undefined),
    }));
  }
  // What stands in a part isn't percent-encoded, so a comma that is part of an item can't be told apart.
  return styledPairs(field, value, field.style === 'form' ? ',' : undefined).map((pair) => {
    const [, key = '', text = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    return { name: decodeURIComponent(key), content: decodeURIComponent(text), mediaType };
  });
}

/** RFC 7578 §4, its names quoted as browsers do (HTML, multipart/form-data encoding). */
async function writePart(
  boundary: string,
  { name, content, mediaType }: FormPart,
): Promise<Buffer> {
  const quoted = (text: string): string =>
    `"${text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')}"`;
  const isFile = content instanceof Blob;
  const filename = content instanceof File ? content.name : 'blob';
  const type = isFile ? content.type || (mediaType ?? 'application/octet-stream') : mediaType;
  const lines = [
    `--${boundary}`,
    `Content-Disposition: form-data; name=${quoted(name)}${isFile ? `; filename=${quoted(filename)}` : ''}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  const bytes = isFile ? Buffer.from(await content.arrayBuffer()) : Buffer.from(content);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes, Buffer.from('\r\n')]);
}
