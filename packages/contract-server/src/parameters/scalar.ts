import { exactNumber } from '../json/exact-number.js';
import type { JsonValue } from '../json/json-value.js';
import { MalformedParameterError } from './malformed-parameter.js';
import type { JsonType } from '../schema/types.js';

/** The value that a decoded text stands for. */
export type ReadScalar = (text: string) => JsonValue;

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/**
 * Reads a text as the first of these types that it is one of, in JSON's spelling: `0x10`, ` 1` and
 * `True` are none of these. A text that is of no type stays a string, for the validator to name.
 */
export function createScalarReader(types: ReadonlySet<JsonType>): ReadScalar {
  const hasBoolean = types.has('boolean');
  const hasNull = types.has('null');
  const number = types.has('number') ? NUMBER : types.has('integer') ? INTEGER : undefined;
  if (number === undefined && !hasBoolean && !hasNull) return (text) => text;
  return (text) => {
    if (number?.test(text) === true) return readNumber(text);
    if (hasBoolean && (text === 'true' || text === 'false')) return text === 'true';
    if (hasNull && text === 'null') return null;
    return text;
  };
}

/** An integer of up to this many digits is exact as a double. */
const MAX_SAFE_DIGITS = 15;

function readNumber(text: string): JsonValue {
  if (text.length <= MAX_SAFE_DIGITS && INTEGER.test(text)) return Number(text);
  const value = exactNumber(text);
  if (value === undefined) {
    throw new MalformedParameterError('can be held neither as an integer nor as a double');
  }
  return value;
}
