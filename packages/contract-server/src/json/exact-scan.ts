import { exactNumber, roundInteger } from './exact-number.js';
import type { JsonValue, ParsedJson } from './json-value.js';
import { errorAt, readString, stepAt, TextWalk, type Place } from './text-walk.js';

/** A double tells any shorter number without an exponent from all others. */
const MIN_LOSSY_LENGTH = 16;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** An array's items by index, or an object's members by name. */
type Parts = Record<string | number, JsonValue>;

/** The same array or object with exact integers and with doubles only. */
interface Twins {
  readonly exact: Parts;
  readonly rounded: Parts;
}

/**
 * Finds in a JSON text what `JSON.parse` has taken without being exact. It makes nothing but the exact
 * integers and copies of the arrays and objects that hold them.
 * @param value what `JSON.parse` has made of the text; it becomes the rounded value
 * @throws JsonError with the place of a number or a string that can't be taken exactly
 */
export function readExactly(text: string, value: JsonValue): ParsedJson {
  const whole: Twins = { exact: { value }, rounded: { value } };
  const twinsAt = (place: Place<Twins>): Twins =>
    place === undefined
      ? whole
      : (place.note ??= copyPart(twinsAt(place.parent), stepIn(place.parent)));
  const stepIn = (place: Place<Twins>): string | number =>
    place === undefined ? 'value' : stepAt(text, place);

  new TextWalk<Twins>(text, {
    onNumber(start, exponent, end, place) {
      if (exponent === end && end - start < MIN_LOSSY_LENGTH) return;
      const number = exactNumber(text.slice(start, end));
      if (number === undefined) {
        throw errorAt(text, place, 'a number can be held neither as an integer nor as a double');
      }
      if (typeof number === 'number') return;
      const { exact, rounded } = twinsAt(place);
      const step = stepIn(place);
      exact[step] = number;
      rounded[step] = roundInteger(number);
    },
    ...(ESCAPED_SURROGATE.test(text) && {
      onString(start, end, place) {
        const literal = text.slice(start, end);
        if (ESCAPED_SURROGATE.test(literal) && !readString(literal).isWellFormed()) {
          throw errorAt(text, place, 'a string has an unpaired surrogate');
        }
      },
    }),
  }).value(undefined);
  const { exact, rounded } = whole;
  return { exact: exact.value ?? null, rounded: rounded.value ?? null };
}

/** Gives the exact twin a copy of its own of an array or an object that it shares so far. */
function copyPart({ exact, rounded }: Twins, step: string | number): Twins {
  // The text has a bracket there, so the value has an array or an object.
  const part = rounded[step] as JsonValue[] | Record<string, JsonValue>;
  const copy = Array.isArray(part) ? [...part] : { ...part };
  exact[step] = copy;
  return { exact: copy as Parts, rounded: part as Parts };
}

/** @throws JsonError with the place of a member name that occurs twice in an object, if there is one */
export function refuseDoubledName(text: string): void {
  new TextWalk<Set<string>>(text, {
    onName(object) {
      const names = (object.note ??= new Set());
      const name = String(stepAt(text, object));
      if (names.has(name)) throw errorAt(text, object, 'a member name occurs twice');
      names.add(name);
    },
  }).value(undefined);
}
