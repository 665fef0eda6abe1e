import { isDeepStrictEqual } from 'node:util';
import type { JsonType } from '../../../schema/types.js';
import { changedPlace, type Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';

/** What the change of one keyword means, at one place. */
export type KeywordRule = (old: FlatSchema, now: FlatSchema) => Difference | undefined;

interface Constraints<Value> {
  readonly keyword: string;
  /** The keywords that it is read from together with its own. */
  readonly beside?: readonly string[];
  /** The types that it says something about: for values of any other, it makes no difference. */
  readonly types: readonly JsonType[] | 'always';
  /** What it demands, all of which must hold; empty where it demands nothing. */
  readonly read: (schema: FlatSchema) => readonly Value[];
  /** Whether every value that satisfies the one satisfies the other. */
  readonly implies: (stronger: Value, weaker: Value) => boolean;
  /** `implies` returns false where it can't be decided. */
  readonly undecidable?: boolean;
  readonly show?: (value: Value) => string;
}

/** What is demanded only now narrows the schema; what was demanded only before widens it. */
export function compareConstraints<Value>(constraints: Constraints<Value>): KeywordRule {
  const { keyword, beside = [], types, read, implies, undecidable } = constraints;
  return (old, now) => {
    if (types !== 'always' && !types.some((type) => old.types.has(type) && now.types.has(type))) {
      return undefined;
    }
    const before = read(old);
    const after = read(now);
    const isImplied = (by: readonly Value[]) => (weaker: Value) =>
      by.some((stronger) => implies(stronger, weaker));
    const narrows = !after.every(isImplied(before));
    const widens = !before.every(isImplied(after));
    if (!narrows && !widens) return undefined;
    return {
      place: changedPlace(old, now, (was, is) =>
        [keyword, ...beside].some((name) => !isDeepStrictEqual(was[name], is[name])),
      ),
      pointer: '',
      what: describe(keyword, before, after, constraints.show ?? show),
      narrows,
      widens,
      ...(narrows && widens && undecidable && { why: UNDECIDABLE }),
    };
  };
}

const UNDECIDABLE = "which of the two admits more can't be told, so it counts as both";

export function describe<Value>(
  keyword: string,
  before: readonly Value[],
  after: readonly Value[],
  showValue: (value: Value) => string,
): string {
  const text = (values: readonly Value[]) => values.map(showValue).join(' and ');
  if (before.length === 0) return `${keyword} ${text(after)} added`.replace('  ', ' ');
  if (after.length === 0) return `${keyword} ${text(before)} removed`.replace('  ', ' ');
  const [from, to] = [text(before), text(after)];
  return from === to ? `${keyword} changed` : `${keyword} ${from} -> ${to}`;
}

export function show(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? Number(member) : member,
  );
}
