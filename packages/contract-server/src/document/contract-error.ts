/** The contract, or what was supplied for it, is wrong. Thrown at boot, with every problem at once. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(readonly problems: readonly string[]) {
    super(
      `the contract can't be served:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}

/** Something that is wrong with a contract, and where. */
export interface ContractProblem {
  /** What it is about, as a reader finds it: an operation, its parameter, a JSON Pointer. */
  readonly place: string;
  readonly what: string;
}

export function describeProblem({ place, what }: ContractProblem): string {
  return `${place}: ${what}`;
}

/** What an error about references says of each: a reference is a URI, and has no spaces. */
export function referenceProblems({ problems }: ContractError): ContractProblem[] {
  return problems.map((problem) => {
    const [, place = '', what = problem] = /^(\S+): (.*)$/s.exec(problem) ?? [];
    return { place, what };
  });
}
