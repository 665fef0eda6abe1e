import { exactLiteral } from '../../json/exact-number.js';
import { mapNumbers } from '../../json/numbers.js';
import { multipleFormat } from '../../schema/multiples.js';
import { hasReference, listOf } from '../../schema/traversal.js';
import { isNumeric } from '../../schema/types.js';
import type { Rule } from './rule.js';

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/** The least and the greatest value of each format. */
const FORMAT_RANGE: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** A bound that only repeats the end of a format is dropped; any other beyond 2^53 becomes a literal. */
const exactBounds: Rule = (schema, draft, { exact }) => {
  for (const keyword of BOUNDS) {
    const bound = draft[keyword];
    if (!isNumeric(bound)) continue;
    const literal = exactLiteral(bound);
    if (typeof literal === 'bigint' && isImplied(keyword, literal, schema.format)) {
      Reflect.deleteProperty(draft, keyword);
    } else {
      draft[keyword] = literal;
      if (typeof literal === 'bigint') exact.literals.add(literal);
    }
  }
};

function isImplied(keyword: (typeof BOUNDS)[number], bound: bigint, format: unknown): boolean {
  const [least, greatest] = (typeof format === 'string' ? FORMAT_RANGE[format] : undefined) ?? [];
  if (least === undefined || greatest === undefined) return false;
  switch (keyword) {
    case 'minimum':
      return bound <= least;
    case 'exclusiveMinimum':
      return bound < least;
    case 'maximum':
      return bound >= greatest;
    case 'exclusiveMaximum':
      return bound > greatest;
  }
}

const COUNTS = ['Length', 'Items', 'Contains', 'Properties'].flatMap((what) => [
  `min${what}`,
  `max${what}`,
]);

/** Nothing is so long that a double doesn't hold its length. */
const roundCounts: Rule = (_schema, draft) => {
  for (const keyword of COUNTS) {
    if (typeof draft[keyword] === 'bigint') draft[keyword] = Number(draft[keyword]);
  }
};

/** Integers in `enum` and `const` that a double can't hold become literals. */
const exactConstants: Rule = (_schema, draft, { exact, warn }) => {
  for (const keyword of ['enum', 'const']) {
    if (!Object.hasOwn(draft, keyword)) continue;
    if (hasReference(draft[keyword])) {
      // The validator would follow it, though it stands in a value.
      warn(`${keyword} has a member named $ref, and is not checked`);
      Reflect.deleteProperty(draft, keyword);
      continue;
    }
    draft[keyword] = mapNumbers(draft[keyword], (number) => {
      const literal = exactLiteral(number);
      if (typeof literal === 'bigint') exact.literals.add(literal);
      return literal;
    });
  }
};

/**
 * The validator divides doubles. That is right for an integer within 2^53 and its multiples; by any
 * other, a format of ours judges.
 */
const exactMultiples: Rule = (_schema, draft, { exact }) => {
  if (!isNumeric(draft.multipleOf)) return;
  const factor = exactLiteral(draft.multipleOf);
  if (Number.isSafeInteger(factor) && isWithinDoubles(draft)) return;
  exact.factors.add(factor);
  Reflect.deleteProperty(draft, 'multipleOf');
  draft.allOf = [...listOf(draft.allOf), { format: multipleFormat(factor) }];
};

function isWithinDoubles(draft: Readonly<Record<string, unknown>>): boolean {
  const isSmall = (keyword: string): boolean => Math.abs(Number(draft[keyword])) < 2 ** 53;
  if (draft.format === 'int32') return true;
  return (
    ['minimum', 'exclusiveMinimum'].some(isSmall) && ['maximum', 'exclusiveMaximum'].some(isSmall)
  );
}

/** Items that differ only beyond what a double holds are unlike. */
const exactItems: Rule = (_schema, draft, { exact }) => {
  if (draft.uniqueItems === true) exact.hasUniqueItems = true;
};

/** The rules about numbers, of which the validator has only doubles. */
export const exactRules: readonly Rule[] = [
  exactBounds,
  exactConstants,
  exactMultiples,
  exactItems,
  roundCounts,
];
