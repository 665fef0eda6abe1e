import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder; it is gone after the run. */
export function createFolder(): string {
  return mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'contract-server-'));
}
