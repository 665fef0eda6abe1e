import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { PostgresHost, PostgresUrl } from '../../database-url.js';
import { SetupError } from './failure.js';

/**
 * The password for a server that asks for one: of the URL, of `PGPASSWORD`, or of the first line that fits
 * in the file `PGPASSFILE` or `~/.pgpass` (PostgreSQL documentation, 34.16).
 * @throws SetupError where there is none
 */
export function findPassword(
  { user, password, database }: PostgresUrl,
  { host, port }: PostgresHost,
): string {
  const known = password ?? process.env.PGPASSWORD;
  if (known !== undefined && known !== '') return known;
  const path = process.env.PGPASSFILE ?? join(homedir(), '.pgpass');
  const wanted = [host, String(port), database, user];
  for (const line of readPasswordFile(path)) {
    const fields = splitFields(line);
    if (wanted.every((value, index) => fields[index] === '*' || fields[index] === value)) {
      return fields[4] ?? '';
    }
  }
  throw new SetupError(
    `the server asks for the password of ${user}: set PGPASSWORD, or PGPASSFILE to a file with a line for it`,
  );
}

function readPasswordFile(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if ((stats.mode & 0o077) !== 0) {
    throw new SetupError(`the password file ${path} is open to others: chmod 600 ${path}`);
  }
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** A backslash takes the colon or backslash behind it as it is. */
function splitFields(line: string): string[] {
  const fields = line.match(/(?:^|:)(?:\\.|[^\\:])*/g) ?? [];
  return fields.map((field) => field.replace(/^:/, '').replace(/\\(.)/g, '$1'));
}
