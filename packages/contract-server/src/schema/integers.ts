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
