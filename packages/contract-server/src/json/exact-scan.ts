import type { ExactIntegers, SplitValue, Step } from './exact-integers.js';
import { exactNumber, roundInteger } from './exact-number.js';
import type { JsonValue } from './json-value.js';
import { errorAt, readString, stepAt, TextWalk, type Place } from './text-walk.js';

/** A shorter number without an exponent is exact as a double. */
const MIN_LOSSY_LENGTH = 16;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** An array or an object of the value, and the exact integers in it. */
interface Part {
  readonly parts: Record<Step, JsonValue>;
  readonly integers: Map<Step, ExactIntegers>;
}

/**
 * Finds the numbers and strings of a JSON text that `JSON.parse` can't take exactly.
 * @param value what `JSON.parse` has made of the text; gets the doubles that its formats tell apart
 * @throws JsonError with the place of a number or a string that can't be taken exactly
 */
export function scanIntegers(text: string, value: JsonValue): SplitValue {
  const whole: Part = { parts: { value }, integers: new Map() };
  const partAt = (place: Place<Part>): Part =>
    place === undefined ? whole : (place.note ??= enter(place.parent));
  const stepIn = (place: Place<Part>): Step =>
    place === undefined ? 'value' : stepAt(text, place);

  function enter(place: Place<Part>): Part {
    const outer = partAt(place);
    const step = stepIn(place);
    const integers = new Map<Step, ExactIntegers>();
    outer.integers.set(step, integers);
    // The text has a bracket there, so the value has an array or an object.
    return { parts: outer.parts[step] as Part['parts'], integers };
  }

  new TextWalk<Part>(text, {
    onNumber(start, exponent, end, container) {
      if (exponent === end && end - start < MIN_LOSSY_LENGTH) return;
      const number = exactNumber(text.slice(start, end));
      if (number === undefined) {
        throw errorAt(
          text,
          container,
          'a number can be held neither as an integer nor as a double',
        );
      }
      if (typeof number === 'number') return;
      const { parts, integers } = partAt(container);
      const step = stepIn(container);
      integers.set(step, number);
      parts[step] = roundInteger(number);
    },
    ...(ESCAPED_SURROGATE.test(text) && {
      onString(start, end, container) {
        const literal = text.slice(start, end);
        if (ESCAPED_SURROGATE.test(literal) && !readString(literal).isWellFormed()) {
          throw errorAt(text, container, 'a string has an unpaired surrogate');
        }
      },
    }),
  }).value(undefined);
  return { value: whole.parts.value ?? null, integers: whole.integers.get('value') };
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
