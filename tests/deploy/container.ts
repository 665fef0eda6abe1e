import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childrenOf } from '../postgres/support/commands.js';
import type { Image } from './image.js';

/** A process that runs as in a container: its own root, mounts and process ids, and none but its own rights. */
export interface Container {
  /** What it says, line by line. */
  readonly output: readonly string[];
  readonly exited: Promise<number | null>;
  /** Sends a signal to its first process. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts a command in an image whose root can't be written, as its user; `/data` is this folder.
 * @param command what Docker would start: the image's entry point and its command, by default
 */
export function startContainer(
  image: Image,
  data: string,
  env: Readonly<Record<string, string>>,
  command: readonly string[] = [...image.entrypoint, ...image.command],
): Container {
  const [user = '', group = ''] = image.user.split(':');
  const script = [
    // A mount of its own can be made read-only by itself.
    'mount --bind "$0" "$0" && mount --bind "$1" "$0/data" && shift',
    'mkdir -p "$0/proc" "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev"',
    'for device in null urandom; do : >"$0/dev/$device" && mount --bind "/dev/$device" "$0/dev/$device"; done',
    'mount -o remount,bind,ro "$0"',
    'exec setpriv --no-new-privs unshare --root="$0" "$@"',
  ].join(' && ');
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script],
      ...[image.root, data, `--wd=${image.workingDirectory}`],
      ...[`--setgid=${group}`, `--setuid=${user}`, ...command],
    ],
    { env: { ...image.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => output.push(line));
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { output, exited, signal: (name) => process.kill(firstOf(child), name) };
}

function firstOf(child: ChildProcess): number {
  const [pid] = childrenOf(child);
  if (pid === undefined) throw new Error('the container has ended');
  return pid;
}
