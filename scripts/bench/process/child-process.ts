import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// So that children are ended and folders removed however it comes to that.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/**
 * Starts node in the project's folder; the process ends with this one at the latest.
 * @param output an open file for all that it says, or 'pipe' for a caller that reads its standard
 * output, which leaves standard error to ours
 */
export function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  output: number | 'pipe',
): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, output === 'pipe' ? 'inherit' : output],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends a process at once. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}
