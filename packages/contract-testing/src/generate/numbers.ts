import fc from 'fast-check';
import type { Members } from './members.js';
import type { Json } from './json.js';
import type { Alternative } from './schemas.js';

/** Where a number may lie; both ends count. */
export interface Range<End> {
  readonly min: End;
  readonly max: End;
}

const FORMAT_RANGES: Readonly<Record<string, Range<bigint>>> = {
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint64: { min: 0n, max: 2n ** 64n - 1n },
};

/** What an integer without bounds is drawn from: more than 64 bits hold. */
const WIDEST: Range<bigint> = { min: -(10n ** 20n), max: 10n ** 20n };

/** Where programs that take integers for doubles, or for 32 or 64 bits, go wrong. */
const EDGES = [0n, 31n, 32n, 53n, 63n, 64n]
  .map((exponent) => 2n ** exponent)
  .flatMap((power) => [power - 1n, power, power + 1n])
  .flatMap((edge) => [edge, -edge]);

export function integerRange(alternative: Alternative): Range<bigint> {
  const ends = alternative.parts.flatMap((part) => {
    const format = FORMAT_RANGES[String(part.format)];
    const bounds = boundsOf(part);
    return [
      ...(format === undefined ? [] : [format]),
      {
        min: bounds.min === undefined ? WIDEST.min : ceiling(bounds.min, bounds.isMinExclusive),
        max: bounds.max === undefined ? WIDEST.max : -ceiling(-bounds.max, bounds.isMaxExclusive),
      },
    ];
  });
  return {
    min: ends.map(({ min }) => min).reduce((a, b) => (a > b ? a : b), WIDEST.min),
    max: ends.map(({ max }) => max).reduce((a, b) => (a < b ? a : b), WIDEST.max),
  };
}

export function integers(alternative: Alternative): fc.Arbitrary<Json> {
  const { min, max } = integerRange(alternative);
  const factor = factorsOf(alternative)
    .map((one) => (typeof one === 'bigint' ? one : BigInt(Math.ceil(one))))
    .reduce((a, b) => a * b, 1n);
  const multiples = { min: -(-min / factor), max: max / factor };
  const edges = [...EDGES, min, min + 1n, max, max - 1n, multiples.min, multiples.max]
    .map((edge) => (edge / factor) * factor)
    .filter((edge) => edge >= min && edge <= max);
  const any = fc.bigInt(multiples).map((n) => n * factor);
  return edges.length === 0 ? any : fc.oneof(fc.constantFrom(...edges), any);
}

export function numbers(alternative: Alternative): fc.Arbitrary<Json> {
  const bounds = alternative.parts.map(boundsOf);
  const min = Math.max(-1e300, ...bounds.map((bound) => Number(bound.min ?? -1e300)));
  const max = Math.min(1e300, ...bounds.map((bound) => Number(bound.max ?? 1e300)));
  const [factor] = factorsOf(alternative).map(Number);
  if (factor !== undefined) {
    const digits = (/\.(\d+)$/.exec(String(factor))?.[1] ?? '').length;
    const ends = {
      min: Math.ceil(Math.max(min / factor, -1e6)),
      max: Math.floor(Math.min(max / factor, 1e6)),
    };
    return fc.integer(ends).map((n) => toJson(Number((n * factor).toFixed(digits))));
  }
  const edges = [min, max, 0, 1, -1, 0.1, 0.5, 5e-324, 1.5e300, 2 ** 53, min + 0.01, max - 0.01];
  return fc
    .oneof(
      fc.constantFrom(...edges.filter((edge) => edge >= min && edge <= max)),
      fc.double({ min, max, noNaN: true }),
    )
    .map(toJson);
}

export function toJson(double: number | bigint): Json {
  if (typeof double === 'bigint') return double;
  return Number.isSafeInteger(double) && !Object.is(double, -0) ? BigInt(double) : double;
}

export function factorsOf({ parts }: Alternative): (number | bigint)[] {
  return parts.flatMap(({ multipleOf }) => (isNumeric(multipleOf) ? [multipleOf] : []));
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The bounds of one schema; of an inclusive and an exclusive one, the narrower. */
export function boundsOf(part: Members) {
  const end = (inclusive: unknown, exclusive: unknown, sign: 1 | -1) => {
    const one = isNumeric(inclusive) ? inclusive : undefined;
    const other = isNumeric(exclusive) ? exclusive : undefined;
    const isNarrower = (a: number | bigint, b: number | bigint) => (sign === 1 ? a >= b : a <= b);
    if (one === undefined || (other !== undefined && isNarrower(other, one))) {
      return { end: other, isExclusive: other !== undefined };
    }
    return { end: one, isExclusive: false };
  };
  const min = end(part.minimum, part.exclusiveMinimum, 1);
  const max = end(part.maximum, part.exclusiveMaximum, -1);
  return {
    min: min.end,
    isMinExclusive: min.isExclusive,
    max: max.end,
    isMaxExclusive: max.isExclusive,
  };
}

/** The least integer that a lower bound admits. */
function ceiling(bound: number | bigint, isExclusive: boolean): bigint {
  const least = typeof bound === 'bigint' ? bound : BigInt(Math.ceil(bound));
  return isExclusive && least <= bound ? least + 1n : least;
}
