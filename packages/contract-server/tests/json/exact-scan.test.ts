import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { joinIntegers, splitIntegers } from '../../src/json/exact-integers.js';
import { excerpt } from '../../src/json/excerpt.js';
import { JsonError, type JsonValue } from '../../src/json/json-value.js';
import { parseJson, readJson } from '../../src/json/json.js';

/** A JSON text, and what it says. */
interface Written {
  readonly text: string;
  readonly value: JsonValue;
}

const MARGIN = fc.stringMatching(/^[ \t\r\n]{0,2}$/);

const STRING = fc
  .tuple(fc.string({ unit: 'binary' }), fc.boolean())
  .map(([value, isEscaped]): Written & { value: string } => ({
    value,
    text: isEscaped ? `"${escapeUnits(value)}"` : JSON.stringify(value),
  }));

const NAME = fc.oneof(
  { weight: 3, arbitrary: STRING },
  fc
    .constantFrom('__proto__', 'constructor', '', '0', '10', '":', 'a/b~', '12345678901234567')
    .map((value) => ({ value, text: JSON.stringify(value) })),
);

const INTEGER = fc
  .tuple(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.constantFrom('', '.0', 'e0', '.00e+1'),
  )
  .map(([integer, spelling]): Written => ({
    value: numberOf(spelling === '.00e+1' ? integer * 10n : integer),
    text: `${integer}${spelling}`,
  }));

const DOUBLE = fc
  .double({ noDefaultInfinity: true, noNaN: true, max: 2 ** 52, min: -(2 ** 52) })
  .filter((value) => !Object.is(value, -0))
  .map((value): Written => ({ value, text: String(value) }));

const { value: VALUE } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc
    .tuple(
      MARGIN,
      fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom(null, true, false).map((value) => ({ value, text: String(value) })),
        STRING,
        INTEGER,
        DOUBLE,
        fc.array(tie('value')).map((items) => ({
          value: items.map(({ value }) => value),
          text: `[${items.map(({ text }) => text).join()}]`,
        })),
        fc
          .uniqueArray(fc.tuple(MARGIN, NAME, MARGIN, tie('value')), {
            selector: ([, { value }]) => value,
          })
          .map((members) => ({
            value: Object.fromEntries(members.map(([, name, , { value }]) => [name.value, value])),
            text: `{${members
              .map(([before, name, after, { text }]) => `${before}${name.text}${after}:${text}`)
              .join()}}`,
          })),
      ),
      MARGIN,
    )
    .map(([before, { value, text }, after]) => ({ value, text: before + text + after })),
}));

function numberOf(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

function escapeUnits(value: string): string {
  return value
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

describe('any JSON text', () => {
  it('is read to the last digit and the last code unit, however it is spelled', () => {
    fc.assert(
      fc.property(VALUE, ({ text, value }) => {
        const read = readJson(text);

        // Jest doesn't compare members named __proto__.
        deepStrictEqual(parseJson(text), value);
        deepStrictEqual(read, splitIntegers(value));
        deepStrictEqual(joinIntegers(read.value, read.integers), value);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused where a name occurs twice, and the place is named', () => {
    fc.assert(
      fc.property(VALUE, NAME, VALUE, VALUE, (before, name, one, other) => {
        const doubled = `{"a":${before.text},${name.text}:${one.text},"b":{},${name.text}:${other.text}}`;
        fc.pre(!['a', 'b'].includes(name.value));
        const at = name.value.replace(/~/g, '~0').replace(/\//g, '~1');

        expect(() => parseJson(`[0,${doubled}]`)).toThrow(
          new JsonError(`a member name occurs twice at ${excerpt(`/1/${at}`)}`),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is refused where a string has half a surrogate pair, and the place is named', () => {
    const half = fc.constantFrom('\\ud800', '\\uDbfF', '\\udC00', '\\udc00\\ud800', 'x\\udfffx');

    fc.assert(
      fc.property(VALUE, half, VALUE, (before, text, after) => {
        expect(() => parseJson(`{"a":[${before.text},"${text}",${after.text}]}`)).toThrow(
          new JsonError('a string has an unpaired surrogate at /a/1'),
        );
        expect(() => parseJson(`[${before.text},{"a":0,"${text}":1}]`)).toThrow(
          new JsonError('a string has an unpaired surrogate at /1'),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('has its exact integers named by their places', () => {
    const { value, integers } = readJson('{"a/b":[{"~":9007199254740993},{"b":1}],"c":[1]}');

    expect(value).toEqual({ 'a/b': [{ '~': 9007199254740992 }, { b: 1 }], c: [1] });
    expect(integers).toEqual({ 'a/b': { 0: { '~': 9007199254740993n } } });
  });
});
