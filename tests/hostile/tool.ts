import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';

/** Groups tests that need what `npm ci` doesn't bring: a command, or a file. They are skipped without it. */
export function describeWith(tool: string): typeof describe.skip {
  const isThere = tool.startsWith('/') ? existsSync(tool) : spawnSync('which', [tool]).status === 0;
  return isThere ? describe : describe.skip;
}
