import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';

/** Processes that may not have more memory together than a limit: the kernel kills one of them then. */
export interface MemoryGroup {
  /** What starts the command that follows it as a member of the group. */
  readonly launcher: readonly string[];
  /** The most that they had so far, with what the kernel had for them. */
  peakMb(): number;
  /** Once its processes have ended, which takes the kernel a moment after they are killed. */
  remove(): Promise<void>;
}

/** Where control groups are mounted, of the first and of the second version, and the names of their files. */
const CONTROLLERS = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
  { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
];
const MB = 1024 * 1024;

/** @returns undefined where none can be made: it needs root, and a kernel that counts memory by groups */
export function createMemoryGroup(limitMb: number): MemoryGroup | undefined {
  for (const { root, limit, peak } of CONTROLLERS) {
    const folder = join(root, `plants-${process.pid}`);
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    if (!existsSync(join(folder, limit))) {
      rmdirSync(folder);
      continue;
    }
    writeFileSync(join(folder, limit), String(limitMb * MB));
    return {
      launcher: ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs')],
      peakMb: () => Math.round(Number(readFileSync(join(folder, peak), 'utf8')) / MB),
      remove: async () => {
        await eventually(() => tryToRemove(folder));
      },
    };
  }
  return undefined;
}

function tryToRemove(folder: string): true | undefined {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return undefined;
  }
}
