/**
 * The decisions that are taken while a value is made: which branch, which optional member, which
 * character. The same number leads to the same decisions. Number 0 takes the first of everything.
 */
export class Choices {
  #state: number;

  constructor(readonly number: number) {
    this.#state = number;
  }

  /** Whether every decision takes the first: optional members are there, branches as they stand. */
  get isPlain(): boolean {
    return this.number === 0;
  }

  /** Other decisions, which follow from these and a number. */
  another(number: number): Choices {
    return new Choices(this.number * 1000 + number);
  }

  /** A whole number from 0 to below `count`. */
  pick(count: number): number {
    if (this.isPlain || count < 2) return 0;
    // mulberry32: a few lines, evenly spread, the same on every machine.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  /** The items in the order in which they are to be tried. */
  order<Item>(items: readonly Item[]): Item[] {
    const rest = [...items];
    return items.flatMap(() => rest.splice(this.pick(rest.length), 1));
  }
}
