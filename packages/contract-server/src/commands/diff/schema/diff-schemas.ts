import type { Direction } from '../../../schema/direction.js';
import type { Effect } from '../change/change.js';
import type { Part } from '../change/part.js';
import { isWithin, placeOf, type Located } from '../change/place.js';
import { createSchemaComparison } from './compare-schemas.js';
import type { Compare, Difference } from './difference.js';
import type { Conjunction } from './flat-schema.js';

/**
 * Compares the schemas of one part of an operation, either of which may be missing; what they say is
 * judged by which way the values travel.
 */
export type DiffSchemas = (
  direction: Direction,
  part: Part,
  old: Located,
  now: Located,
) => Effect[];

/** Creates one comparison for both contracts as a whole, since most schemas are in many places. */
export function createSchemaDiff(): DiffSchemas {
  const comparisons: Readonly<Record<Direction, Compare>> = {
    request: createSchemaComparison('request'),
    response: createSchemaComparison('response'),
  };
  return (direction, part, old, now) =>
    comparisons[direction](toConjunction(old), toConjunction(now)).map((difference) =>
      toEffect(direction, part, difference, placeOf(now.document, now.value)),
    );
}

export function toConjunction({ document, value }: Located): Conjunction {
  return { document, parts: value === undefined ? [] : [value] };
}

/** `root` is the place of the part's schema. */
export function toEffect(
  direction: Direction,
  { location, definition }: Part,
  difference: Difference,
  root: string | undefined,
): Effect {
  const { place, pointer, what, narrows, widens } = difference;
  const inSchema = isWithin(root, place) ? place.slice(root?.length) + pointer : pointer;
  const outer = place ?? definition;
  return {
    breaks: direction === 'request' ? narrows : widens,
    direction,
    location: inSchema === '' ? location : `${location} ${inSchema}`,
    definition: outer === undefined ? undefined : outer + pointer,
    what,
    why: difference.why ?? reasonOf(direction, difference),
  };
}

function reasonOf(direction: Direction, difference: Difference): string {
  if (direction === 'request') {
    return difference.narrows
      ? 'requests that were valid are refused'
      : 'every request that was valid still is';
  }
  return difference.widens
    ? 'clients may get what they were not told of'
    : 'clients get nothing that they were not told of';
}
