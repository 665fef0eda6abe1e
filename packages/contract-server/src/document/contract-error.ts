/** The contract, or what was supplied for it, is wrong. Thrown at boot, with every problem at once. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(readonly problems: readonly string[]) {
    super(
      `the contract can't be served:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
