/** Where a project has its contract, and the types of it, if it doesn't say otherwise. */
export const CONTRACT = 'api/openapi.yaml';
export const TYPES = 'generated/openapi.ts';

/** One command of `contract-server`. */
export interface Command {
  /** What it does, in half a line. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly usage: string;
  /**
   * Does it; resolves with the exit status.
   * @throws UsageError, ContractError and what the system says of files
   */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** The command can't be given these arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
