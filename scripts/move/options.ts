import { parseArgs } from 'node:util';
import { SettingError } from 'contract-server';
import { SETTINGS } from '../../src/config.js';
import type { DatabaseUrl } from '../../src/database-url.js';
import { UsageError } from '../command-line.js';

/** What the move is to do, checked. */
export interface Options {
  readonly from: DatabaseUrl;
  readonly to: DatabaseUrl;
}

export const USAGE = `usage:
  move -- --from STORE --to STORE

  --from  the store to read, as DATABASE_URL has it; nothing is changed in it
  --to    the store to write, likewise; it is made where it isn't there

Copies every plant, with when and by whom it was created, then what came meanwhile, and compares the two
stores plant by plant. The service may go on meanwhile. To run it again is safe: what is there is compared,
not copied.
Exit status: 0 both stores have the same plants; 1 not yet, or they differ; 2 it could not be done.`;

/** @throws UsageError or what parseArgs throws */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: { from: { type: 'string' }, to: { type: 'string' } },
  });
  if (values.from !== undefined && values.from === values.to) {
    throw new UsageError('--from and --to are the same store');
  }
  return { from: readStore('from', values.from), to: readStore('to', values.to) };
}

function readStore(option: string, text = ''): DatabaseUrl {
  const { expected, parse } = SETTINGS.databaseUrl;
  try {
    const url = parse(text, {});
    if (url !== undefined) return url;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new UsageError(`--${option} ${error.message}`, { cause: error });
  }
  throw new UsageError(`--${option} must be ${expected}`);
}
