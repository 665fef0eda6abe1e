/** How many there were, and how long they took. */
export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export function summarise(latenciesMs: readonly number[]): Latencies {
  const sorted = Float64Array.from(latenciesMs).sort();
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return { count: sorted.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}
