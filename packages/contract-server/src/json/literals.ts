import { roundInteger } from './exact-number.js';

/** A value of a contract with doubles for its integers, and whether that has changed one. */
export function roundLiteral(value: unknown): { value: unknown; isRounded: boolean } {
  let isRounded = false;
  const round = (part: unknown): unknown => {
    if (typeof part === 'bigint') {
      isRounded = true;
      return roundInteger(part);
    }
    if (Array.isArray(part)) return part.map(round);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, round(member)]));
  };
  return { value: round(value), isRounded };
}

/** Whether an integer beyond 2^53 stands anywhere in a value. */
export function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}
