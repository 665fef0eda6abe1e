import { roundLiteral } from '../../json/literals.js';
import { hasReference } from '../../schema/traversal.js';
import type { Rule } from './rule.js';

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const;

/** The least and the greatest value of each format. */
const FORMAT_RANGE: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/**
 * The validator compares doubles, and an integer beyond 2^53 shares its double with others. The ends
 * of a format are exact all the same, so a bound that only repeats one is dropped; any other is
 * compared as the nearest double, with a warning.
 */
export const roundBounds: Rule = (schema, draft, { warn }) => {
  for (const keyword of BOUNDS) {
    const bound = draft[keyword];
    if (typeof bound !== 'bigint' && !isInexact(bound)) continue;
    if (isImplied(keyword, BigInt(bound), schema.format)) {
      Reflect.deleteProperty(draft, keyword);
    } else {
      draft[keyword] = Number(bound);
      warn(`${keyword} ${bound} is beyond 2^53: values are compared with it as doubles`);
    }
  }
};

function isInexact(bound: unknown): bound is number {
  return typeof bound === 'number' && Number.isInteger(bound) && !Number.isSafeInteger(bound);
}

function isImplied(keyword: string, bound: bigint, format: unknown): boolean {
  const [least, greatest] = (typeof format === 'string' ? FORMAT_RANGE[format] : undefined) ?? [];
  if (least === undefined || greatest === undefined) return false;
  return (keyword === 'minimum' && bound <= least) || (keyword === 'maximum' && bound >= greatest);
}

/** Values in `enum` and `const` as the validator sees those of a body: integers as doubles. */
export const roundLiterals: Rule = (_schema, draft, { warn }) => {
  for (const keyword of ['enum', 'const']) {
    if (!Object.hasOwn(draft, keyword)) continue;
    const rounded = roundLiteral(draft[keyword]);
    if (rounded.isRounded) warn(`${keyword} has an integer beyond 2^53, compared as a double`);
    if (hasReference(rounded.value)) {
      // The validator would follow it, though it stands in a value.
      warn(`${keyword} has a member named $ref, and is not checked`);
      Reflect.deleteProperty(draft, keyword);
    } else {
      draft[keyword] = rounded.value;
    }
  }
};
