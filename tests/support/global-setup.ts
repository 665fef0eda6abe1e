import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before all tests: compiles the service, because those that start it as a process run what is
 * compiled, so it must be what is here; and makes the folder in which the tests make theirs. Whether
 * the types are right is for `npm run check` to say.
 */
export default function setUp(): void {
  execFileSync('npm', ['run', '--silent', 'build', '--', '--noCheck'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.env.TESTS_FOLDER = mkdtempSync(join(tmpdir(), 'plants-tests-'));
}
