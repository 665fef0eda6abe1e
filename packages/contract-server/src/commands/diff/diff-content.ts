import type { MediaTypeObject } from '../../document/document.js';
import { pointer } from '../../json/pointer.js';
import { findDeclared } from '../../operation/media-type.js';
import type { Direction } from '../../schema/direction.js';
import type { Effect } from './change.js';
import { diffBodies } from './diff-bodies.js';
import { diffForms } from './diff-forms.js';
import { innerPart, type Part } from './part.js';
import type { DiffSchemas } from './diff-schemas.js';
import type { Located } from './schema/place.js';

/** The `content` of a request body or a response: what it has by media type. */
type Content = ReadonlyMap<string, MediaTypeObject>;

const REASONS = {
  request: { added: 'nobody sends it yet', removed: 'clients that send it are refused' },
  response: {
    added: 'only clients that accept it get it (RFC 9110 §12.5.1)',
    removed: 'clients that accept nothing else get none',
  },
};

/** The media types of a body, which in either direction are the client's to choose. */
export function diffContent(
  direction: Direction,
  outer: Part,
  old: Located<Content>,
  now: Located<Content>,
  diffSchemas: DiffSchemas,
): Effect[] {
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
      const why = REASONS[direction][what];
      return [
        {
          breaks: was !== undefined,
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
