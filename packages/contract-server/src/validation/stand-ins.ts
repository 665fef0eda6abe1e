import { roundInteger } from '../json/exact-number.js';
import { setIntegers, type ExactIntegers } from '../json/exact-integers.js';

/** A value for the validator, and its integers that a double can't hold. */
interface Exact {
  readonly value: unknown;
  readonly integers: ExactIntegers;
}

/** Doubles of one distance, between two ends of integer formats. */
interface Region {
  /** The least integer, without its sign, that the doubles stand for. */
  readonly from: bigint;
  readonly start: number;
  readonly distance: number;
}

const ABOVE_ZERO: readonly Region[] = [
  { from: 2n ** 53n, start: 2 ** 53, distance: 2 },
  { from: 2n ** 63n, start: 2 ** 63, distance: 2 ** 11 },
  { from: 2n ** 64n, start: 2 ** 64, distance: 2 ** 12 },
];
/** The least int64 is -2^63, so what is beyond begins one further. */
const BELOW_ZERO: readonly Region[] = [
  { from: 2n ** 53n, start: 2 ** 53, distance: 2 },
  { from: 2n ** 63n + 1n, start: 2 ** 63 + 2 ** 11, distance: 2 ** 11 },
];

/** How many integers between two literals can have doubles at once: more than memory holds. */
const ROOM = 2 ** 32;

/**
 * Doubles that stand for integers beyond 2^53 while a validator judges them, which knows nothing but
 * doubles. No two integers have the same one. That of a literal of the schemas never changes, and those of
 * all lesser integers are below it, those of all greater ones above; likewise at the ends of the integer
 * formats. So what compares values with literals, or with each other, finds what the integers would say.
 */
export class StandIns {
  readonly #above: readonly bigint[];
  readonly #below: readonly bigint[];
  readonly #texts: ReadonlyMap<string, string>;
  /** By the integer's digits: V8 hashes a bigint by its last 64 bits, so that a client could choose its place. */
  readonly #doubles = new Map<string, number>();
  readonly #integers = new Map<number, bigint>();
  #inFlight = 0;

  /** @param literals the integers beyond 2^53 that the schemas have */
  constructor(literals: ReadonlySet<bigint>) {
    const sorted = [...literals].sort((one, other) => (one < other ? -1 : 1));
    this.#above = sorted.filter((literal) => literal > 0n);
    this.#below = sorted
      .filter((literal) => literal < 0n)
      .map((literal) => -literal)
      .reverse();
    this.#texts = new Map(sorted.map((literal) => [String(this.of(literal)), String(literal)]));
  }

  /** What stands for an integer beyond 2^53. */
  of(integer: bigint): number {
    const digits = String(integer);
    const known = this.#doubles.get(digits);
    if (known !== undefined) return known;
    const [sign, literals, regions]: [1 | -1, readonly bigint[], readonly Region[]] =
      integer < 0n ? [-1, this.#below, BELOW_ZERO] : [1, this.#above, ABOVE_ZERO];
    const size = integer < 0n ? -integer : integer;
    const index = countBelow(literals, size);
    const isLiteral = literals[index] === size;
    const slot = isLiteral ? ROOM * (index + 1) : ROOM * index + this.#doubles.size + 1;
    const region = regions.findLast(({ from }) => size >= from);
    if (region === undefined) throw new Error(`${integer} needs no stand-in`);
    const double = sign * (region.start + region.distance * slot);
    this.#doubles.set(digits, double);
    this.#integers.set(double, integer);
    return double;
  }

  /** The integer that a double stands for, in what is being judged. */
  integerOf(double: number): bigint | undefined {
    return this.#integers.get(double);
  }

  /** A validator's message with the literals of the schemas in place of what stands for them. */
  spell(message: string): string {
    return message.replace(/-?\d{16,}/g, (digits) => this.#texts.get(digits) ?? digits);
  }

  /** Has values judged with doubles of their own in place of the integers that doubles can't hold. */
  async judge<Verdict>(
    values: readonly Exact[],
    judgeAll: (values: readonly unknown[]) => Promise<Verdict>,
  ): Promise<Verdict> {
    this.#inFlight++;
    try {
      for (const { value, integers } of values) setIntegers(value, integers, (one) => this.of(one));
      return await judgeAll(values.map(({ value }) => value));
    } finally {
      for (const { value, integers } of values)
        setIntegers(value, integers, (one) => roundInteger(one));
      this.#inFlight--;
      if (this.#inFlight === 0) this.#forget();
    }
  }

  #forget(): void {
    this.#doubles.clear();
    this.#integers.clear();
  }
}

/** How many of some sorted integers are less than one. */
function countBelow(sorted: readonly bigint[], integer: bigint): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((sorted[middle] ?? integer) < integer) from = middle + 1;
    else to = middle;
  }
  return from;
}
