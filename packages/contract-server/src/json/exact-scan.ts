import type { ExactIntegers, IntegerParts, SplitValue, Step } from './exact-integers.js';
import { exactNumber, roundInteger } from './exact-number.js';
import type { JsonValue } from './json-value.js';
import { createRecord } from './record.js';
import { errorAt, readString, stepAt, TextWalk, type Place } from './text-walk.js';

/** A shorter number without an exponent is exact as a double. */
const MIN_LOSSY_LENGTH = 16;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** An array or an object of the value. */
interface Part {
  readonly parts: Record<Step, JsonValue>;
  /** Where it stands; the whole stands nowhere. */
  readonly outer: Part | undefined;
  readonly step: Step;
  /** What is found in it. */
  integers?: IntegerParts;
}

/**
 * Finds in a JSON text what `JSON.parse` has taken without being exact.
 * @param value what `JSON.parse` has made of the text; gets the doubles that its formats tell apart
 * @throws JsonError with the place of a number or a string that can't be taken exactly
 */
export function scanIntegers(text: string, value: JsonValue): SplitValue {
  const whole: Part = { parts: { value }, outer: undefined, step: '' };
  const partAt = (place: Place<Part>): Part =>
    place === undefined ? whole : (place.note ??= enter(place.parent));
  const stepIn = (place: Place<Part>): Step =>
    place === undefined ? 'value' : stepAt(text, place);

  function enter(place: Place<Part>): Part {
    const outer = partAt(place);
    const step = stepIn(place);
    // The text has a bracket there, so the value has an array or an object.
    return { parts: outer.parts[step] as Part['parts'], outer, step };
  }

  new TextWalk<Part>(text, {
    onNumber(start, exponent, end, container) {
      if (exponent === end && end - start < MIN_LOSSY_LENGTH) return;
      const part = partAt(container);
      const step = stepIn(container);
      const double = Number(part.parts[step]);
      const number = exactNumber(text.slice(start, end), double);
      if (number === undefined) {
        throw errorAt(
          text,
          container,
          'a number can be held neither as an integer nor as a double',
        );
      }
      if (typeof number === 'number') return;
      addIntegers(part, step, number);
      const rounded = roundInteger(number, double);
      if (rounded !== double) part.parts[step] = rounded;
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
  return { value: whole.parts.value ?? null, integers: whole.integers?.value };
}

function addIntegers(part: Part, step: Step, integers: ExactIntegers): void {
  if (part.integers === undefined) {
    part.integers = createRecord();
    if (part.outer !== undefined) addIntegers(part.outer, part.step, part.integers);
  }
  part.integers[step] = integers;
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
