/** How a schema has changed at one place. Where neither way, clients may want to know all the same. */
export interface Difference {
  /** A JSON Pointer into the schema, as if every `$ref` and `allOf` were written out. */
  readonly pointer: string;
  readonly what: string;
  /** Some values are no longer valid. */
  readonly narrows: boolean;
  /** Some values have become valid. */
  readonly widens: boolean;
  /** Strictly it narrows; but the old contract didn't say what the new member may be. */
  readonly isNewMember?: true;
  /** Why it counts as it does, where that isn't plain from the above. */
  readonly why?: string;
}

/** The same differences, seen from further up. */
export function under(pointer: string, differences: readonly Difference[]): Difference[] {
  return differences.map((difference) => ({
    ...difference,
    pointer: pointer + difference.pointer,
  }));
}

export function narrowsAny(differences: readonly Difference[]): boolean {
  return differences.some(({ narrows }) => narrows);
}

/** The same for where a schema stands in for another: there a new member does count. */
export function narrowsStrictly(differences: readonly Difference[]): boolean {
  return differences.some(({ narrows, isNewMember }) => narrows || isNewMember);
}

export function widensAny(differences: readonly Difference[]): boolean {
  return differences.some(({ widens }) => widens);
}
