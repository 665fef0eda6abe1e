import type { MediaTypeObject } from '../../document/document.js';
import { isFileSchema } from '../../operation/form.js';
import { bodyKindOf, itemSchemaOf } from '../../operation/media-type.js';
import type { Direction } from '../../schema/direction.js';
import { listOf } from '../../schema/traversal.js';
import type { Effect } from './change.js';
import type { Part } from './part.js';
import type { DiffSchemas } from './diff-schemas.js';
import type { Located } from './schema/place.js';

/** What a body of one media type is, or what each of its items is. */
export function diffBodies(
  direction: Direction,
  mediaType: string,
  part: Part,
  old: Located<MediaTypeObject>,
  now: Located<MediaTypeObject>,
  diffSchemas: DiffSchemas,
): Effect[] {
  const compare = (keyword: string, location: string, was: unknown, is: unknown) =>
    diffSchemas(
      direction,
      {
        location,
        definition: part.definition === undefined ? undefined : `${part.definition}/${keyword}`,
      },
      { document: old.document, value: was },
      { document: now.document, value: is },
    );
  const keyword = now.value.itemSchema === undefined ? 'x-item-schema' : 'itemSchema';
  const hasItems = [old, now].some(({ value }) => itemSchemaOf(value) !== undefined);
  const areWhole = [old, now].every(({ value }) => value.schema !== undefined);
  return [
    ...(direction === 'request' ? diffLimits(part, old.value, now.value) : []),
    ...(areWhole || !hasItems
      ? compare('schema', part.location, wholeOf(mediaType, old), wholeOf(mediaType, now))
      : []),
    ...(hasItems ? compare(keyword, `${part.location} item`, itemOf(old), itemOf(now)) : []),
  ];
}

/** Bytes are a string, whether said so (OpenAPI 3.0) or not (OpenAPI 3.1 §4.8.14.2). */
function wholeOf(mediaType: string, { document, value }: Located<MediaTypeObject>): unknown {
  const { schema } = value;
  const isBytes = bodyKindOf(mediaType) === 'stream' && isFileSchema(document, schema, [mediaType]);
  return isBytes ? { allOf: [schema ?? true, { type: 'string' }] } : schema;
}

/** OpenAPI 3.2.0 §4.14.3: the schema of a sequence as a whole is that of an array. */
function itemOf({ document, value }: Located<MediaTypeObject>): unknown {
  const schema = document.resolve(value.schema);
  const isArray = listOf([schema?.type].flat()).includes('array');
  return itemSchemaOf(value) ?? (isArray ? schema?.items : undefined);
}

/** The largest request body, where the contract says one. */
function diffLimits(part: Part, old: MediaTypeObject, now: MediaTypeObject): Effect[] {
  const bytesOf = (one: MediaTypeObject): number => Number(one['x-max-body-bytes'] ?? NaN);
  const [was, is] = [bytesOf(old), bytesOf(now)];
  if (Object.is(was, is)) return [];
  // What the service takes by itself isn't said here, so it may be more or less.
  const breaks = !(is > was);
  const shown = (bytes: number): string => (Number.isNaN(bytes) ? 'unsaid' : String(bytes));
  const what = `largest body ${shown(was)} -> ${shown(is)}`;
  const why = breaks ? 'larger bodies may be refused' : 'every body that was taken still is';
  return [{ ...part, direction: 'request', breaks, what, why }];
}
