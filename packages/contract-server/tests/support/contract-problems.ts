import { ContractError } from '../../src/index.js';

/** What a boot reports; nothing where it succeeds. */
export async function problemsOf(boot: Promise<unknown>): Promise<readonly string[]> {
  try {
    await boot;
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
  return [];
}
