import type { Direction } from '../../../schema/direction.js';
import { compareAlternatives } from './alternatives.js';
import { compareAnnotations } from './annotations.js';
import type { Compare, CompareFlat, Difference } from './difference.js';
import { flatten, keyOf, type Conjunction, type FlatSchema } from './flat-schema.js';
import { compareItems } from './items.js';
import { KEYWORD_RULES } from './keyword-rules.js';
import { compareNegations } from './negations.js';
import { compareProperties } from './properties.js';

/** Two schemas, and how they differ as far as is known. */
interface Pair {
  readonly key: string;
  readonly old: FlatSchema;
  readonly now: FlatSchema;
  /** Each once, wherever in the schemas it is. */
  readonly differences: Difference[];
  readonly found: Set<string>;
  /** The pairs whose differences depend on these. */
  readonly readers: Set<Pair>;
  isMet: boolean;
  isKnown: boolean;
}

/**
 * A comparison of schemas whose values all travel in one direction: what is readOnly isn't there in
 * a request, what is writeOnly not in a response. The comparison throws a ContractError where a
 * reference leads nowhere.
 *
 * Two schemas that are met inside themselves are taken for equal until a difference is found; whatever
 * was concluded from that is then looked at again. A difference is never taken back, so this ends.
 */
export function createSchemaComparison(direction: Direction): Compare {
  const pairs = new Map<string, Pair>();

  function pairOf(oldParts: Conjunction, newParts: Conjunction): Pair {
    const old = flatten(oldParts);
    const now = flatten(newParts);
    const key = `${keyOf(old.of.document, old.atoms)} ${keyOf(now.of.document, now.atoms)}`;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const state = { differences: [], found: new Set<string>(), readers: new Set<Pair>() };
    const pair = { key, old, now, ...state, isMet: false, isKnown: false };
    pairs.set(key, pair);
    return pair;
  }

  /** Compares all that a comparison needs, what is furthest inside first, without recursion. */
  return (oldParts, newParts) => {
    const wanted = pairOf(oldParts, newParts);
    const stack = [wanted];
    const outdated = new Set<Pair>();
    for (let pair = stack.pop(); pair !== undefined; pair = stack.pop() ?? takeFirst(outdated)) {
      if (pair.isKnown) continue;
      pair.isMet = true;
      const { inside, differences } = comparePair(pair);
      if (inside.length > 0) {
        stack.push(pair, ...inside);
        continue;
      }
      pair.isKnown = true;
      if (!addTo(pair, differences)) continue;
      for (const reader of pair.readers) {
        if (!reader.isKnown) continue;
        reader.isKnown = false;
        outdated.add(reader);
      }
    }
    return wanted.differences;
  };

  /** With the pairs inside it that nobody has looked at yet, and that it takes for equal so far. */
  function comparePair(pair: Pair) {
    const inside: Pair[] = [];
    const compare: Compare = (old, now) => {
      const inner = pairOf(old, now);
      inner.readers.add(pair);
      if (!inner.isMet) inside.push(inner);
      return inner.differences;
    };
    const compareFlat: CompareFlat = (old, now) => [
      ...KEYWORD_RULES.flatMap((rule) => rule(old, now) ?? []),
      ...compareProperties(old, now, direction, compare),
      ...compareItems(old, now, compare),
      ...compareNegations(old, now, compare),
      ...compareAnnotations(old, now),
    ];
    const differences = compareAlternatives(pair.old, pair.now, compareFlat, compare);
    return { inside, differences };
  }
}

/** Whether any of the differences is new. */
function addTo(pair: Pair, differences: readonly Difference[]): boolean {
  const before = pair.found.size;
  for (const difference of differences) {
    const { place, pointer, what, narrows, widens } = difference;
    const origin = difference.origin ?? `${pair.key} ${pointer} ${what}`;
    const id = `${place === undefined ? origin : place + pointer} ${what} ${narrows} ${widens}`;
    if (pair.found.has(id)) continue;
    pair.found.add(id);
    pair.differences.push({ ...difference, origin });
  }
  return pair.found.size > before;
}

function takeFirst<Value>(values: Set<Value>): Value | undefined {
  for (const value of values) {
    values.delete(value);
    return value;
  }
  return undefined;
}
