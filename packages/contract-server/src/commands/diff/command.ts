import { join } from 'node:path';
import type { Command } from '../../command.js';
import { ContractError } from '../../document/contract-error.js';
import type { ContractDocument } from '../../document/document.js';
import { readContract } from '../../document/read-contract.js';
import { diffContracts } from './diff-contracts.js';
import { readReleasedContract } from './released-contract.js';
import { isRefused, report } from './report.js';
import { versionOf } from './version.js';

const USAGE = `usage: contract-server diff [OLD.yaml [NEW.yaml]]
  OLD.yaml  the contract that clients know; if left out, that of the newest release
  NEW.yaml  the contract as it is to be; if left out, api/openapi.yaml
Exits with 0 where no change breaks clients, or info.version has a new major; with 1 where one does and
it has none; with 2 where the contracts can't be compared.`;

const EXIT_REFUSED = 1;
/** Wrong usage, or a contract that can't be read. */
const EXIT_STOPPED = 2;

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The contracts can't be compared; the message says why, for people. */
class StopError extends Error {}

export const diff: Command = {
  summary: 'says what has changed between two contracts, and which of it breaks clients',
  usage: USAGE,

  async run(args) {
    const { exitCode, stdout, stderr } = await runContractDiff(args, process.cwd());
    if (stdout !== '') console.log(stdout);
    if (stderr !== '') console.error(stderr);
    return exitCode;
  },
};

/** Runs the command with its arguments; `root` is the folder of the project. */
export async function runContractDiff(args: readonly string[], root: string): Promise<Outcome> {
  try {
    if (args.length > 2 || args.some((arg) => arg.startsWith('-'))) {
      throw new StopError(`diff takes up to two files, not ${args.join(' ')}\n${USAGE}`);
    }
    return await compare(root, args[0], args[1] ?? join(root, 'api/openapi.yaml'));
  } catch (error) {
    // A reference that leads nowhere is found only when it is followed.
    if (!(error instanceof StopError || error instanceof ContractError)) throw error;
    return { exitCode: EXIT_STOPPED, stdout: '', stderr: error.message };
  }
}

async function compare(root: string, oldPath: string | undefined, newPath: string) {
  const old =
    oldPath === undefined
      ? await stopIfUnreadable('the released contract', () => readReleasedContract(root))
      : { name: oldPath, document: await read(oldPath) };
  const now = await read(newPath);
  const changes = diffContracts(old.document, now);
  const compared = {
    oldName: old.name,
    oldVersion: versionOf(old.document),
    newVersion: versionOf(now),
  };
  const exitCode = isRefused(changes, compared) ? EXIT_REFUSED : 0;
  return { exitCode, stdout: report(changes, compared), stderr: '' };
}

function read(path: string): Promise<ContractDocument> {
  return stopIfUnreadable(path, () => readContract(path));
}

async function stopIfUnreadable<Value>(name: string, readIt: () => Promise<Value>): Promise<Value> {
  try {
    return await readIt();
  } catch (error) {
    if (error instanceof ContractError) {
      throw new StopError(`${name} is not a valid contract: ${error.problems.join('; ')}`);
    }
    if (isSystemError(error)) throw new StopError(`${name} can't be read: ${error.message}`);
    throw error;
  }
}

/** By what it has: a test's Error is not the one that Node's own functions throw. */
function isSystemError(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
