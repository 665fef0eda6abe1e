import { isMultipart } from '../form-field.js';
import { breakages } from './broken-values.js';
import type { Way } from './case.js';
import type { Operation } from './operation.js';
import { textOfBody, type DraftBody } from './draft.js';
import { formContentType, isWritableForm, type FormField } from './forms.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import { textOf } from '../parameter-text.js';
import { product, readings } from './readings.js';
import { withHeader, type TestRequest } from './request.js';
import type { Schemas } from './schemas.js';

/** Where a form is, and how something else is put in its place. */
export interface FormPlace {
  readonly name: 'body' | 'querystring';
  readonly text: (text: string | Buffer) => TestRequest;
  readonly value: (value: Json) => TestRequest;
}

/** Forms that are malformed, that have a field twice, or whose value isn't what the schema says. */
export function brokenForms(
  schemas: Schemas,
  operation: Operation,
  body: DraftBody,
  place: FormPlace,
): Way[] {
  const { mediaType, fieldOf } = body;
  const { schema } = body.declared;
  const value = isJsonObject(body.value) ? body.value : {};
  const ways: Way[] = [];
  const add = (broken: string, status: number, make: () => TestRequest | undefined): void => {
    ways.push({
      broken,
      make() {
        const request = make();
        return request && { request, statuses: [status], operation };
      },
    });
  };
  const text = textOfBody(body);
  const replaced = (other: string | Buffer) => () => place.text(other);
  if (isMultipart(mediaType)) {
    // Up to its closing boundary, and into the boundary before it.
    add('form: cut off', 400, replaced(text.slice(0, -4)));
    add('form: cut off', 400, replaced(text.slice(0, text.lastIndexOf('--', text.length - 5) + 1)));
    add('form: boundary', 400, () =>
      withHeader(place.text(text), 'Content-Type', formContentType(mediaType, 'another')),
    );
    add('form: boundary', 400, () => withHeader(place.text(text), 'Content-Type', mediaType));
    add(
      'form: part without a name',
      400,
      replaced(text.replace(/^(--.*\r\n)/, '$1X: y\r\n\r\n\r\n$1')),
    );
  } else {
    for (const wrong of ['%', '%zz=1', 'a=%c3%28', 'a=%ff']) {
      add('form: percent-encoding', 400, replaced(text === '' ? wrong : `${text}&${wrong}`));
    }
  }
  for (const [name, member] of Object.entries(value)) {
    const isOne = typeof member !== 'object' || member === null || fieldOf(name).isJson;
    const mayBeMore = schemas.accepts(schema, { ...value, [name]: [member, member] });
    if (!isOne || Array.isArray(member) || mayBeMore) continue;
    add('form: field twice', 400, () => place.text(twice(body, value, name)));
  }
  for (const { what, value: wrong } of breakages(schemas, schema, value)) {
    add(`${place.name} ${what}`, 400, () => {
      if (!isWritableForm(mediaType, wrong, fieldOf)) return undefined;
      if (formReadings(schemas, wrong, fieldOf).some((one) => schemas.accepts(schema, one)))
        return undefined;
      return place.value(wrong);
    });
  }
  return ways;
}

/** The form with one of its fields at its end again. */
function twice(body: DraftBody, value: JsonObject, name: string): string {
  const text = textOfBody(body);
  const again = textOfBody({ ...body, value: { [name]: value[name] ?? null } });
  if (!isMultipart(body.mediaType)) return `${text}&${again}`;
  return text.replace(/--.*--\r\n$/, () => again);
}

/** What the texts of a form could be taken for, as far as the schemas of its fields accept it. */
function formReadings(
  schemas: Schemas,
  value: JsonObject,
  fieldOf: (name: string) => FormField,
): Json[] {
  const members = Object.entries(value).map(([name, member]) => {
    const field = fieldOf(name);
    const read = (one: Json): Json[] => (field.isFile ? [textsOf(one)] : readings(field, one));
    // A list of one is written like its item.
    const other = Array.isArray(member) ? member[0] : [member];
    const all = [...read(member), ...(other === undefined ? [] : read(other))];
    const accepted = all.filter((reading) => schemas.accepts(field.schema, reading));
    return (accepted.length > 0 ? accepted : [member]).map((reading): Json => [name, reading]);
  });
  return product(members).map((entries) => Object.fromEntries(entries as [string, Json][]));
}

/** A file is text to the schemas. */
function textsOf(value: Json): Json {
  return Array.isArray(value) ? value.map(textsOf) : textOf(value);
}
