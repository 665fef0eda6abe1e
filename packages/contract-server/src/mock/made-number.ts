import type { Schema } from '../document/document.js';
import { isNumeric } from '../schema/types.js';
import { integerStep } from '../schema/multiples.js';
import { isExact, type Way } from '../schema/ways.js';
import type { Choices } from './choices.js';

const FORMAT_RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};
/** An integer without bounds is one of this many. */
const SPREAD = 1000n;

/**
 * An integer within all bounds: a `bigint` where the contract says int64 or uint64, or where a number
 * can't hold it; undefined where there is none.
 */
export function madeInteger(way: Way, choices: Choices): number | bigint | undefined {
  const { least, most } = integerBounds(way);
  const factor = integerStep(way.map(({ multipleOf }) => multipleOf).filter(isNumeric));
  const from = least ?? (most !== undefined && most < 1n ? most - SPREAD : 1n);
  const first = ceilDivide(from, factor);
  const last = floorDivide(most ?? from + SPREAD * factor, factor);
  if (last < first) return undefined;
  const span = last - first + 1n > SPREAD ? SPREAD : last - first + 1n;
  // Without a lower bound, what stands nearest to the upper one reads best.
  const isDownwards = least === undefined && from < 1n;
  const step = BigInt(choices.pick(Number(span)));
  const value = (isDownwards ? last - step : first + step) * factor;
  return isExact(way) || !Number.isSafeInteger(Number(value)) ? value : Number(value);
}

/** A number within all bounds, exact where only an integer beyond 2^53 is; undefined where there is none. */
export function madeNumber(way: Way, choices: Choices): number | bigint | undefined {
  return madeDouble(way, choices) ?? madeInteger(way, choices);
}

function madeDouble(way: Way, choices: Choices): number | undefined {
  const bounds = way.map(boundsOf);
  const least = Math.max(...bounds.map(({ least }) => Number(least?.end ?? -Infinity)));
  const most = Math.min(...bounds.map(({ most }) => Number(most?.end ?? Infinity)));
  const fits = (value: number): boolean => bounds.every((bound) => isWithin(value, bound));
  const factors = way.map(({ multipleOf }) => multipleOf);
  if (factors.some((one) => typeof one === 'bigint')) return undefined;
  const factor = factors.find((one) => typeof one === 'number');
  if (factor !== undefined) {
    const digits = (/\.(\d+)$/.exec(String(factor))?.[1] ?? '').length;
    const first = Math.ceil((Number.isFinite(least) ? least : Math.min(most, factor)) / factor);
    const multiples = [0, 1, -1, 1 + choices.pick(100)].map((step) =>
      Number(((first + step) * factor).toFixed(digits)),
    );
    return choices.order(multiples).find(fits);
  }
  const from = Number.isFinite(least) ? least : Math.min(most, 1) - 1;
  const to = Number.isFinite(most) ? most : Math.max(least, 0) + 1000;
  // No integer, where there is room for a fraction: of `oneOf` an integer may be another branch.
  const drawn = Math.floor(from + ((to - from) * choices.pick(100)) / 100) + 0.5;
  return [choices.isPlain ? 1.5 : drawn, drawn, (from + to) / 2, from, to].find(fits);
}

interface Bound {
  readonly end: number | bigint;
  readonly isExclusive: boolean;
}

interface Bounds {
  readonly least: Bound | undefined;
  readonly most: Bound | undefined;
}

/** The bounds of one schema; `exclusiveMinimum` is a boolean in OpenAPI 3.0, and a number in 3.1. */
function boundsOf(schema: Schema): Bounds {
  const bound = (inclusive: unknown, exclusive: unknown, isLower: boolean): Bound | undefined => {
    const ends = [
      ...(isNumeric(inclusive) ? [{ end: inclusive, isExclusive: exclusive === true }] : []),
      ...(isNumeric(exclusive) ? [{ end: exclusive, isExclusive: true }] : []),
    ];
    return ends.reduce<Bound | undefined>((narrowest, one) => {
      if (narrowest === undefined) return one;
      return (isLower ? one.end >= narrowest.end : one.end <= narrowest.end) ? one : narrowest;
    }, undefined);
  };
  return {
    least: bound(schema.minimum, schema.exclusiveMinimum, true),
    most: bound(schema.maximum, schema.exclusiveMaximum, false),
  };
}

function isWithin(value: number, { least, most }: Bounds): boolean {
  const isAbove =
    least === undefined || value > least.end || (!least.isExclusive && value >= least.end);
  const isBelow =
    most === undefined || value < most.end || (!most.isExclusive && value <= most.end);
  return isAbove && isBelow;
}

function integerBounds(way: Way): { least: bigint | undefined; most: bigint | undefined } {
  const least: bigint[] = [];
  const most: bigint[] = [];
  for (const schema of way) {
    const [formatLeast, formatMost] = FORMAT_RANGES[String(schema.format)] ?? [];
    const bounds = boundsOf(schema);
    if (bounds.least !== undefined) least.push(leastInteger(bounds.least));
    if (bounds.most !== undefined)
      most.push(-leastInteger({ ...bounds.most, end: -bounds.most.end }));
    // A format's own end is one only beside a bound: nobody wants -9223372036854775808 for an example.
    if (formatLeast !== undefined && least.length > 0) least.push(formatLeast);
    if (formatMost !== undefined) most.push(formatMost);
  }
  return {
    least: least.length === 0 ? undefined : least.reduce((a, b) => (a > b ? a : b)),
    most: most.length === 0 ? undefined : most.reduce((a, b) => (a < b ? a : b)),
  };
}

/** The least integer that a lower bound admits. */
function leastInteger({ end, isExclusive }: Bound): bigint {
  if (typeof end === 'bigint') return isExclusive ? end + 1n : end;
  return BigInt(isExclusive ? Math.floor(end) + 1 : Math.ceil(end));
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return -floorDivide(-value, by);
}
