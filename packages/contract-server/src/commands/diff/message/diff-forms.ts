import type { MediaTypeObject } from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import { formOf, type FormField } from '../../../operation/form.js';
import type { Direction } from '../../../schema/direction.js';
import type { Effect } from '../change/change.js';
import type { Part } from '../change/part.js';
import type { Located } from '../change/place.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import { diffHeaders } from './diff-headers.js';
import { changedNotation } from './notation.js';

/** How the fields of a form are written (OpenAPI 3.1 §4.8.15); nothing of any other media type. */
export function diffForms(
  direction: Direction,
  mediaType: string,
  body: Part,
  old: Located<MediaTypeObject>,
  now: Located<MediaTypeObject>,
  diffSchemas: DiffSchemas,
): Effect[] {
  const before = fieldsOf(mediaType, old);
  const after = fieldsOf(mediaType, now);
  return [...before].flatMap(([name, was]) => {
    const is = after.get(name);
    if (is === undefined) return []; // the schema has lost it, which is told of the schema
    const location = `${body.location} field ${name}`;
    const definition =
      body.definition === undefined ? undefined : body.definition + pointer(['encoding', name]);
    const part = { location, definition };
    const oldIn = { document: old.document, value: was };
    const newIn = { document: now.document, value: is };
    const headers = ({ document, value }: Located<FormField>) => ({
      document,
      value: Object.fromEntries(value.headers),
    });
    return [
      ...diffNotation(direction, part, oldIn, newIn),
      ...diffContentTypes(direction, part, contentTypesOf(was), contentTypesOf(is)),
      ...diffHeaders(direction, part, headers(oldIn), headers(newIn), diffSchemas),
    ];
  });
}

function fieldsOf(mediaType: string, { document, value }: Located<MediaTypeObject>) {
  const { fields = [] } = formOf(document, mediaType, value) ?? {};
  return new Map(fields.map((field) => [field.name, field]));
}

function diffNotation(
  direction: Direction,
  part: Part,
  old: Located<FormField>,
  now: Located<FormField>,
): Effect[] {
  // A file is bytes as they are.
  const what = old.value.isFile && now.value.isFile ? undefined : changedNotation(old, now);
  if (what === undefined) return [];
  return [{ ...part, direction, breaks: true, what, why: 'its value is written another way' }];
}

/** OpenAPI 3.1 §4.8.15.1: without any said, text is plain text and the rest JSON; a file is anything. */
function contentTypesOf({ contentTypes, isFile, mediaType }: FormField) {
  if (contentTypes === undefined) return isFile ? undefined : [mediaType ?? 'text/plain'];
  return contentTypes.map((type) => type.toLowerCase());
}

function diffContentTypes(
  direction: Direction,
  part: Part,
  was: readonly string[] | undefined,
  is: readonly string[] | undefined,
): Effect[] {
  const removed = is !== undefined && (was ?? ['any']).some((type) => !is.includes(type));
  const added = was !== undefined && (is ?? ['any']).some((type) => !was.includes(type));
  if (!removed && !added) return [];
  const shown = (types: readonly string[] | undefined): string => types?.join(', ') ?? 'any';
  const what = `content type ${shown(was)} -> ${shown(is)}`;
  if (direction === 'request') {
    const why = removed
      ? 'parts that were taken are refused'
      : 'every part that was taken still is';
    return [{ ...part, direction, breaks: removed, what, why }];
  }
  const why = added
    ? 'clients may get what they were not told of'
    : 'clients know all that they get';
  return [{ ...part, direction, breaks: added, what, why }];
}
