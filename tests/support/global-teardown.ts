import { rmSync } from 'node:fs';

/** After all tests: removes what they have left in their folders. */
export default function tearDown(): void {
  const { TESTS_FOLDER } = process.env;
  if (TESTS_FOLDER !== undefined) rmSync(TESTS_FOLDER, { recursive: true, force: true });
}
