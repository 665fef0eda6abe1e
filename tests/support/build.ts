import { execFileSync } from 'node:child_process';

/** The tests that start the service as a process run what is compiled, so it must be what is here. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
