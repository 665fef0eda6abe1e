import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createToken, type NewToken } from './token-file.js';

/**
 * Where no tokens file exists yet, makes a first token, so that a new service can be used at once.
 * @returns the private file that holds the token; undefined where there was nothing to do
 */
export function createFirstToken(tokensFile: string, options: NewToken = {}): string | undefined {
  if (existsSync(tokensFile)) return undefined;
  const token = createToken(tokensFile, 'first', options);
  const path = join(dirname(tokensFile), 'first-token');
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return path;
}
