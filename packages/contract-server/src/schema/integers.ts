import type { Schema } from '../document/document.js';

/**
 * The integer formats, for the validator, which sees doubles. `readJson` keeps a double on its
 * integer's side of a format's end, so comparing doubles is exact.
 */
export const integerFormats = {
  int32: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, -(2 ** 31), 2 ** 31) },
  int64: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, -(2 ** 63), 2 ** 63) },
  uint64: { type: 'number' as const, validate: (n: number) => isIntegerIn(n, 0, 2 ** 64) },
};

function isIntegerIn(n: number, from: number, below: number): boolean {
  return Number.isInteger(n) && n >= from && n < below;
}

/**
 * Whether handlers have the integers that a schema judges as `bigint`: those of int64 and uint64, and
 * those of which a constant is beyond 2^53.
 */
export function hasBigints({ format, enum: values, const: constant }: Schema): boolean {
  if (format === 'int64' || format === 'uint64') return true;
  return [constant, ...(Array.isArray(values) ? (values as unknown[]) : [])].some(
    (value) => typeof value === 'bigint',
  );
}
