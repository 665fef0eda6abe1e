import type { MediaTypeObject, Schema } from '../../document/document.js';
import { formOf, type FormField } from '../../operation/form.js';
import { conjunctsOf, listOf } from '../../schema/traversal.js';
import type { SchemaView } from './schema-view.js';

/** Stands for a file of a form: a Blob to who sends it, and to a handler what it is read from. */
export const FORM_FILE = 'x-form-file';

/**
 * The schema of a form with files in it, to be typed: its files have no type in JSON Schema. Undefined
 * where it has none, or is a response.
 */
export function formSchema(
  { document, options }: SchemaView,
  mediaType: string,
  media: MediaTypeObject,
): Schema | undefined {
  const form = options.direction === 'request' ? formOf(document, mediaType, media) : undefined;
  const { fields = [], others } = form ?? {};
  if (![...fields, others].some((field) => field?.isFile)) return undefined;
  // The generator asks for the type only of schemas that have one.
  const file = { type: 'string', [FORM_FILE]: options.withDefaults === true ? 'received' : 'sent' };
  const required = conjunctsOf(document, media.schema).flatMap((part) => listOf(part.required));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, memberSchema(field, file)])),
    ...(required.length > 0 && { required }),
    ...(others && { additionalProperties: memberSchema(others, file) }),
  };
}

function memberSchema({ isFile, isList, isSingle, schema }: FormField, file: Schema): Schema {
  if (!isFile) return schema;
  const { description } = schema;
  const list = { type: 'array', items: file };
  const value = !isList ? file : isSingle ? { anyOf: [file, list] } : list;
  return { ...value, ...(typeof description === 'string' && { description }) };
}
