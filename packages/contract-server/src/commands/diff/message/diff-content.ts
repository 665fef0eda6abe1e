import type { MediaTypeObject } from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import { isFileSchema } from '../../../operation/form.js';
import { bodyKindOf, findDeclared, itemSchemaOf } from '../../../operation/media-type.js';
import type { Direction } from '../../../schema/direction.js';
import { listOf } from '../../../schema/traversal.js';
import type { Effect } from '../change/change.js';
import { innerPart, type Part } from '../change/part.js';
import type { Located } from '../change/place.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import { diffForms } from './diff-forms.js';

/** The `content` of a request body or a response: what it has by media type. */
type Content = ReadonlyMap<string, MediaTypeObject>;

const REASONS = {
  request: { added: 'nobody sends it yet', removed: 'clients that send it are refused' },
  response: {
    added: 'only clients that accept it get it (RFC 9110 §12.5.1)',
    removed: 'clients that accept nothing else get none',
  },
};

/** Of a request that the service sends. */
const REASONS_OF_SERVICE = {
  added: 'clients may get what they were not told of',
  removed: 'clients get nothing that they were not told of',
};

/** The media types of a body, and who chooses one of them: the client but for what the service sends unasked. */
export function diffContent(
  direction: Direction,
  outer: Part,
  old: Located<Content>,
  now: Located<Content>,
  diffSchemas: DiffSchemas,
  chooser: 'client' | 'service' = 'client',
): Effect[] {
  const isClients = chooser === 'client';
  const before = byMediaType(old.value);
  const after = byMediaType(now.value);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((mediaType): Effect[] => {
    const was = covering(before, mediaType, after);
    const is = covering(after, mediaType, before);
    const { location } = outer;
    const place = mediaType === 'application/json' ? location : `${location} ${mediaType}`;
    if (was === undefined || is === undefined) {
      if (is === undefined && direction === 'response' && isRangeOf(mediaType, after)) return [];
      const what = was === undefined ? 'added' : 'removed';
      const why = isClients ? REASONS[direction][what] : REASONS_OF_SERVICE[what];
      return [
        {
          breaks: isClients === (was !== undefined),
          direction,
          location: place,
          definition: outer.definition,
          what: `media type ${mediaType} ${what}`,
          why,
        },
      ];
    }
    const oldIn = { document: old.document, value: was };
    const newIn = { document: now.document, value: is };
    const part = innerPart(outer, pointer(['content', mediaType]), place, oldIn, newIn);
    return [
      ...diffForms(direction, mediaType, part, oldIn, newIn, diffSchemas),
      ...diffBodies(direction, mediaType, part, oldIn, newIn, diffSchemas),
    ];
  });
}

/** RFC 9110 §8.3.1: the letters and the space around a parameter make no difference. */
function byMediaType(content: Content): Content {
  return new Map(
    [...content].map(([name, value]) => [name.toLowerCase().replace(/\s*;\s*/g, ';'), value]),
  );
}

/** What a contract says of a media type: of itself, or of a range that it is in. */
function covering(
  content: Content,
  mediaType: string,
  other: Content,
): MediaTypeObject | undefined {
  const declared = findDeclared([...content.keys()], mediaType);
  // One that differs in its parameters stands for it only where it isn't there itself.
  const isAnother =
    declared !== undefined &&
    declared !== mediaType &&
    !declared.includes('*') &&
    other.has(declared);
  return declared === undefined || isAnother ? undefined : content.get(declared);
}

/** Whether clients that were told of a range get something that is in it. */
function isRangeOf(range: string, content: Content): boolean {
  return (
    range.includes('*') && [...content.keys()].some((type) => findDeclared([range], type) === range)
  );
}

/** What a body of one media type is, or what each of its items is. */
function diffBodies(
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
