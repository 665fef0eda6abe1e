import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before all tests: makes the folder in which the tests make theirs. */
export default function setUp(): void {
  process.env.TESTS_FOLDER = mkdtempSync(join(tmpdir(), 'plants-tests-'));
}
