import type { Effect } from './change.js';
import { commonPlace, type Located } from './place.js';

/** A part of an operation that both contracts have. */
export interface Part {
  /** In words, such as `request body`. */
  readonly location: string;
  /** Its JSON Pointer, where both contracts have it at one place. */
  readonly definition: string | undefined;
}

/** A part of a part: by itself where both contracts refer to the same place, or as its outer's. */
export function innerPart(
  outer: Part,
  pointer: string,
  location: string,
  old: Located,
  now: Located,
): Part {
  const within = outer.definition === undefined ? undefined : outer.definition + pointer;
  return { location, definition: commonPlace(old, now) ?? within };
}

/** Of a part that is deprecated from now on. */
export function deprecated(part: Part): Effect {
  return { ...part, breaks: false, what: 'deprecated', why: 'it works as before, but may go' };
}

/** Of a name that no request has in it. */
export const RENAMED =
  'requests are the same; only code that is generated anew has another name for it';
