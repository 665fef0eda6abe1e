import type { Parameter, Schema } from './operation.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import { formField, isMultipart, type FormField as WrittenField } from '../form-field.js';
import { membersOf, type Members } from './members.js';
import { isWritable, textOf, writeParameter } from '../parameter-text.js';
import type { Schemas } from './schemas.js';
import { memberSchema } from './values.js';

/** A member of a form, as its texts are written. */
export interface FormField extends Parameter {
  readonly isFile: boolean;
  /** What the parts of a file say that they are. */
  readonly contentType: string;
}

const BOUNDARY = '----boundary-of-the-tests';

/** The header with which a form of this media type is sent. */
export function formContentType(mediaType: string, boundary = BOUNDARY): string {
  return isMultipart(mediaType) ? `${mediaType}; boundary=${boundary}` : mediaType;
}

/** How each member of a form is written, by its name. */
export function formFields(
  schemas: Schemas,
  schema: Schema,
  mediaType: string,
  encodings: Members,
): (name: string) => FormField {
  const fields = new Map<string, FormField>();
  return (name) => {
    const known =
      fields.get(name) ??
      createField(
        schemas,
        schema,
        formField(schemas.root, mediaType, name, membersOf(encodings[name])),
      );
    fields.set(name, known);
    return known;
  };
}

function createField(schemas: Schemas, form: Schema, field: WrittenField): FormField {
  const schema: Schema = schemas
    .alternatives(form)
    .map(({ parts }) => memberSchema(parts, field.name))
    .reduce((found, one) => (found === true ? one : found), true);
  const parts = valueParts(schemas, schema);
  const isObject = parts.some(({ type }) => [type].flat().includes('object'));
  return {
    ...field,
    required: false,
    schema,
    isJson: field.isJson || (!field.isStyled && isObject),
    isFile: parts.some(({ format }) => format === 'binary'),
    contentType: field.mediaTypes[0]?.replace('*', 'x') ?? 'application/octet-stream',
  };
}

/** The schemas of what one part holds: of a list, those of its items. */
function valueParts(schemas: Schemas, schema: Schema): Members[] {
  return schemas
    .alternatives(schema)
    .flatMap(({ type, parts }) =>
      type === 'array'
        ? parts.flatMap(({ items }) =>
            schemas.alternatives((items ?? true) as Schema).flatMap((one) => one.parts),
          )
        : parts,
    );
}

/** Whether a form can say the value, so that it is read again as the same one. */
export function isWritableForm(
  mediaType: string,
  value: Json,
  fieldOf: (name: string) => FormField,
): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([name, member]) => {
    const field = fieldOf(name);
    if (isMultipart(mediaType) && /[\r\n"]/.test(name)) return false;
    // A list of JSON texts: one that is a list itself would be taken for the whole.
    if (field.isJson || field.isFile) return !Array.isArray(member) || isListOfParts(member);
    return isWritable(field, member);
  });
}

function isListOfParts(list: readonly Json[]): boolean {
  return list.length > 0 && !list.some((item) => Array.isArray(item));
}

/** A form, to the byte but for its encoding in UTF-8. */
export function writeForm(
  mediaType: string,
  value: JsonObject,
  fieldOf: (name: string) => FormField,
): string {
  const isParts = isMultipart(mediaType);
  const pieces = Object.entries(value).flatMap(([name, member]) => {
    const field = fieldOf(name);
    const isList = Array.isArray(member) && (field.isJson || field.isFile);
    return (isList ? member : [member]).flatMap((item) =>
      isParts && field.isFile ? [filePart(field, textOf(item))] : textPieces(field, item, isParts),
    );
  });
  if (!isParts) return pieces.join('&');
  return [...pieces.map((piece) => `--${BOUNDARY}\r\n${piece}\r\n`), `--${BOUNDARY}--\r\n`].join(
    '',
  );
}

function textPieces(field: FormField, value: Json, isParts: boolean): string[] {
  const written = writeParameter(field, value);
  const pairs = written.in === 'query' ? written.pairs : [];
  if (!isParts) return [...pairs];
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    const [name, text] = [pair.slice(0, at), pair.slice(at + 1)].map(decodeURIComponent);
    return `Content-Disposition: form-data; name="${name ?? ''}"\r\n\r\n${text ?? ''}`;
  });
}

function filePart({ name, contentType }: FormField, content: string): string {
  return [
    `Content-Disposition: form-data; name="${name}"; filename="a file"`,
    `Content-Type: ${contentType}\r\n`,
    content,
  ].join('\r\n');
}
