import { addResponses } from './commands/add-responses/command.js';
import { check } from './commands/check.js';
import { UsageError, type Command } from './command.js';
import { diff } from './commands/diff/command.js';
import { generate } from './commands/generate/command.js';
import { list } from './commands/list.js';
import { mock } from './commands/mock.js';
import { token } from './commands/token.js';
import { ContractError } from './document/contract-error.js';

const COMMANDS: Readonly<Record<string, Command>> = {
  generate,
  check,
  'add-responses': addResponses,
  list,
  diff,
  mock,
  token,
};

/** Wrong usage, or a contract that can't be read: nothing was done. */
const EXIT_STOPPED = 2;

/** Runs `contract-server` with these arguments; resolves with its exit status. */
export async function runCommandLine([
  name = '--help',
  ...args
]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h') {
    console.log(overview());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    console.error(`contract-server has no command ${name}\n\n${overview()}`);
    return EXIT_STOPPED;
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(command.usage);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (!isForPeople(error)) throw error;
    console.error(isUsageError(error) ? `${error.message}\n\n${command.usage}` : error.message);
    return EXIT_STOPPED;
  }
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return [
    'usage: contract-server COMMAND [ARGUMENTS]',
    ...lines,
    '`contract-server COMMAND --help` says what a command takes.',
  ].join('\n');
}

/** An error of the system, such as a missing file, is printed without its stack; a bug with it. */
function isForPeople(error: unknown): error is Error {
  if (isUsageError(error) || error instanceof ContractError) return true;
  return error instanceof Error && 'syscall' in error;
}

/** What a command says of its arguments, and what `parseArgs` throws at an option that it doesn't know. */
function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return (
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}
