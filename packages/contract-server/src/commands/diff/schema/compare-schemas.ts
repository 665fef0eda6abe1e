import type { Direction } from '../../../schema/direction.js';
import { compareAlternatives } from './alternatives.js';
import { compareAnnotations } from './annotations.js';
import type { Compare, CompareFlat } from './comparison.js';
import { keyOf, type Conjunction } from './conjunction.js';
import type { Difference } from './difference.js';
import { flatten } from './flat-schema.js';
import { compareItems } from './items.js';
import { KEYWORD_RULES } from './keyword-rules.js';
import { compareNegations } from './negations.js';
import { compareProperties } from './properties.js';

/**
 * A comparison of schemas whose values all travel in one direction: what is readOnly isn't there in
 * a request, what is writeOnly not in a response. The comparison throws a ContractError where a
 * reference leads nowhere.
 */
export function createSchemaComparison(direction: Direction): Compare {
  const finished = new Map<string, readonly Difference[]>();
  const running = new Set<string>();
  /** The running comparisons that were met again inside themselves, and taken for equal there. */
  const assumed = new Set<string>();

  const compareFlat: CompareFlat = (old, now) => [
    ...KEYWORD_RULES.flatMap((rule) => rule(old, now) ?? []),
    ...compareProperties(old, now, direction, compare),
    ...compareItems(old, now, compare),
    ...compareNegations(old, now, compare),
    ...compareAnnotations(old, now),
  ];

  function compare(oldParts: Conjunction, newParts: Conjunction): readonly Difference[] {
    const old = flatten(oldParts);
    const now = flatten(newParts);
    const key = `${keyOf(old.of.document, old.atoms)} ${keyOf(now.of.document, now.atoms)}`;
    const known = finished.get(key);
    if (known !== undefined) return known;
    if (running.has(key)) {
      assumed.add(key);
      return [];
    }
    running.add(key);
    const differences = compareAlternatives(old, now, compareFlat, compare);
    running.delete(key);
    assumed.delete(key);
    if (assumed.size === 0) finished.set(key, differences);
    return differences;
  }

  return compare;
}
