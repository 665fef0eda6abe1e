/**
 * A judge of schemas that knows no doubles: numbers are decimal digits. It has the keywords that compare
 * numbers, and those that put schemas together.
 */

/** A JSON value whose numbers are texts. */
export type Exact = Digits | Exact[] | { readonly a: Exact };

export class Digits {
  constructor(readonly text: string) {}
}

export type ExactSchema = Readonly<Record<string, unknown>>;

export function textOf(value: Exact): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  return `{"a":${textOf(value.a)}}`;
}

/** The same as a contract has it: an integer that a double can't hold is a bigint. */
export function literalOf(value: Exact): unknown {
  if (Array.isArray(value)) return value.map(literalOf);
  if (!(value instanceof Digits)) return { a: literalOf(value.a) };
  const double = Number(value.text);
  const isExact = Number.isSafeInteger(double) || !/^-?\d+$/.test(value.text);
  return isExact ? double : BigInt(value.text);
}

/** Whether a value satisfies a schema, whose literals are {@link Exact} too. */
export function accepts(schema: ExactSchema, value: Exact): boolean {
  return Object.entries(schema).every(([keyword, said]) => {
    const judge = KEYWORDS[keyword];
    if (judge === undefined) throw new Error(`the oracle doesn't know ${keyword}`);
    return judge(said, value, schema);
  });
}

type Judge = (said: unknown, value: Exact, schema: ExactSchema) => boolean;

const ofNumbers =
  (judge: (said: Digits, value: Digits) => boolean): Judge =>
  (said, value) =>
    !(value instanceof Digits) || judge(said as Digits, value);
const ofItems =
  (judge: (said: unknown, items: readonly Exact[]) => boolean): Judge =>
  (said, value) =>
    !Array.isArray(value) || judge(said, value);
const holds = (said: unknown, value: Exact): boolean => accepts(said as ExactSchema, value);
const countOf = (said: unknown, value: Exact): number =>
  (said as ExactSchema[]).filter((one) => accepts(one, value)).length;

const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;

const KEYWORDS: Readonly<Record<string, Judge>> = {
  type: (_said, value) => value instanceof Digits && integerOf(value) !== undefined,
  format: ofNumbers((_said, value) => {
    const integer = integerOf(value);
    return integer !== undefined && integer >= INT64[0] && integer <= INT64[1];
  }),
  minimum: ofNumbers((said, value) => compare(value, said) >= 0n),
  maximum: ofNumbers((said, value) => compare(value, said) <= 0n),
  exclusiveMinimum: ofNumbers((said, value) => compare(value, said) > 0n),
  exclusiveMaximum: ofNumbers((said, value) => compare(value, said) < 0n),
  multipleOf: ofNumbers((said, value) => {
    const [digits, factor] = scaled(value, said);
    return digits % factor === 0n;
  }),
  const: (said, value) => canonical(said as Exact) === canonical(value),
  enum: (said, value) => (said as Exact[]).some((one) => canonical(one) === canonical(value)),
  uniqueItems: ofItems((_said, items) => new Set(items.map(canonical)).size === items.length),
  items: ofItems((said, items) => items.every((item) => holds(said, item))),
  contains: ofItems((said, items) => items.some((item) => holds(said, item))),
  properties: (said, value) =>
    value instanceof Digits ||
    Array.isArray(value) ||
    holds((said as { a: ExactSchema }).a, value.a),
  allOf: (said, value) => countOf(said, value) === (said as unknown[]).length,
  anyOf: (said, value) => countOf(said, value) > 0,
  oneOf: (said, value) => countOf(said, value) === 1,
  not: (said, value) => !holds(said, value),
  if: (said, value, schema) => holds(holds(said, value) ? schema.then : schema.else, value),
  then: () => true,
  else: () => true,
};

/** Both as integers, multiplied by the same power of ten. */
function scaled(...numbers: readonly [Digits, Digits]): [bigint, bigint] {
  const [one, other] = numbers.map(({ text }) => {
    const [, whole = '', fraction = '', exponent = '0'] =
      /^(-?\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(text) ?? [];
    return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
  });
  if (one === undefined || other === undefined) throw new Error('there are two numbers');
  const least = Math.min(one.exponent, other.exponent);
  return [
    one.digits * 10n ** BigInt(one.exponent - least),
    other.digits * 10n ** BigInt(other.exponent - least),
  ];
}

function compare(one: Digits, other: Digits): bigint {
  const [left, right] = scaled(one, other);
  return left - right;
}

function integerOf(value: Digits): bigint | undefined {
  const [digits, one] = scaled(value, new Digits('1'));
  return digits % one === 0n ? digits / one : undefined;
}

/** The same text for equal values. */
function canonical(value: Exact): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!(value instanceof Digits)) return `{${canonical(value.a)}}`;
  const [digits, one] = scaled(value, new Digits('1e-40'));
  return String(digits / one);
}
