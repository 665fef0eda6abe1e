import type { ContractDocument } from '../../index.js';
import { isObject } from '../../document/document.js';
import type { Direction } from '../../schema/direction.js';
import type { OperationChange } from './schema/change.js';
import { diffEncodings, diffLimits } from './diff-encodings.js';
import type { DiffSchemas } from './schema-diff.js';

/** The `content` of a request body or a response, in its contract. */
export interface ContentIn {
  readonly document: ContractDocument;
  /** By media type. */
  readonly content: Iterable<readonly [string, unknown]>;
}

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
  location: string,
  old: ContentIn,
  now: ContentIn,
  diffSchemas: DiffSchemas,
): OperationChange[] {
  const before = byMediaType(old.content);
  const after = byMediaType(now.content);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((mediaType) => {
    const was = before.get(mediaType);
    const is = after.get(mediaType);
    const place = mediaType === 'application/json' ? location : `${location} ${mediaType}`;
    if (was === undefined || is === undefined) {
      const what = was === undefined ? 'added' : 'removed';
      const breaks = was !== undefined;
      const why = REASONS[direction][what];
      return [{ breaks, location: place, what: `media type ${mediaType} ${what}`, why }];
    }
    const [oldIn, newIn] = [{ document: old.document }, { document: now.document }];
    return [
      ...diffEncodings(
        direction,
        place,
        { ...oldIn, value: was.encoding },
        { ...newIn, value: is.encoding },
      ),
      ...diffLimits(place, was['x-max-body-bytes'], is['x-max-body-bytes']),
      ...diffSchemas(
        direction,
        place,
        { ...oldIn, schema: was.schema },
        { ...newIn, schema: is.schema },
      ),
    ];
  });
}

/** RFC 9110 §8.3.1: the letters and the space around a parameter make no difference. */
function byMediaType(content: ContentIn['content']) {
  return new Map(
    [...content].map(([name, value]) => [
      name.toLowerCase().replace(/\s*;\s*/g, ';'),
      isObject(value) ? value : {},
    ]),
  );
}
