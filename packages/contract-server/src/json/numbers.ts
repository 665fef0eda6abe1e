/** A value of a contract with other numbers in place of its own, wherever they stand. */
export function mapNumbers(value: unknown, map: (number: number | bigint) => unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapNumbers(member, map)]),
  );
}

/** Whether an integer beyond 2^53 stands anywhere in a value. */
export function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}
