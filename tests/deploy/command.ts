import { spawnSync } from 'node:child_process';

/** Runs a command to its end: how it ends, and all that it says. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, output: stdout + stderr };
}
