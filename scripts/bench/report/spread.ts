/** The median of some figures, and what they range from and to. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

export function showSpread({ median, min, max }: Spread, digits: number): string {
  const range = `${min.toFixed(digits)}-${max.toFixed(digits)}`;
  return min === max ? median.toFixed(digits) : `${median.toFixed(digits)} (${range})`;
}
