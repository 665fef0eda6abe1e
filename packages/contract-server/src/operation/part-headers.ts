import type { ContractDocument, MediaTypeObject, Schema } from '../document/document.js';
import { formOf, type FormField } from './form.js';
import { objectSchema, schemaOf } from './object-schema.js';
import type { Parameter } from './operation.js';

/**
 * The schema of the headers of a form's parts (OpenAPI 3.1 §4.8.15.1): by the field's name, those of each
 * of its parts. Undefined where the contract describes none.
 */
export function partHeadersSchema(
  document: ContractDocument,
  mediaType: string,
  media: MediaTypeObject,
  normalise: (schema: Schema, isRequired: boolean) => Schema,
): Schema | undefined {
  const fields = (formOf(document, mediaType, media)?.fields ?? []).filter(
    ({ headers }) => headers.size > 0,
  );
  if (fields.length === 0) return undefined;
  return objectSchema(
    fields.map((field) => {
      const headers = [...field.headers];
      const items = objectSchema(
        headers.map(([name, header]) => [name, normalise(schemaOf(header), true)]),
        headers.filter(([, { required }]) => required === true).map(([name]) => name),
      );
      return [field.name, { type: 'array', items }];
    }),
    [],
  );
}

/** The headers of a field's parts as parameters, which are read in the same way. */
export function partHeaderParameters({ headers }: FormField): Parameter[] {
  return [...headers].map(([name, header]) => ({
    name,
    in: 'header',
    required: header.required === true,
    allowEmptyValue: false,
    allowReserved: false,
    style: 'simple',
    explode: header.explode === true,
    schema: schemaOf(header),
    mediaType: Object.keys(header.content ?? {})[0],
  }));
}
