import { StopError } from './stop-error.js';

/** Wrong usage, or something that the command can't do without. */
const EXIT_STOPPED = 2;

/** The command line is wrong; the message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * What `read` makes of the arguments, with `parseArgs` of node:util. Where they are wrong, the process
 * ends with 2 and says why; with `--help` it ends with 0.
 */
export function readCommandLine<Options>(
  usage: string,
  read: (args: string[]) => Options,
): Options {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    console.error(`${error.message}\n${usage}`);
    process.exit(EXIT_STOPPED);
  }
}

/** Runs a command to its exit status. What stops it is told in a line, and ends it with 2. */
export async function runCommand(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    console.error(error.message);
    process.exitCode = EXIT_STOPPED;
  }
}

/** Ours, and those of `parseArgs`. */
function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}

/** @throws UsageError where it isn't a whole number from 1 to `max`; it may be a secret, and isn't quoted */
export function readCount(option: string, text: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max) {
    throw new UsageError(`--${option} must be a whole number from 1 to ${max}`);
  }
  return count;
}

/** Several with commas between. */
export function readCounts(option: string, text: string, max: number): number[] {
  return text.split(',').map((count) => readCount(option, count.trim(), max));
}
