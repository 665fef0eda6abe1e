import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../support/service.js';

/** A small file system, mounted on a folder of its own. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives that back. */
  clear(): void;
  /** @param options as `mount -o` has them, such as `ro` */
  remount(options: string): void;
  unmount(): void;
}

/** Mounts a small disk, in the mount name space that a run of tests has to itself. */
export function mountSmallDisk(megabytes = 2): SmallDisk {
  const folder = createFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const fd = openSync(filler, 'a');
      const block = Buffer.alloc(4096);
      try {
        for (;;) writeSync(fd, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(fd);
      }
    },
    clear() {
      rmSync(filler);
    },
    remount(options) {
      execFileSync('mount', ['-o', `remount,${options}`, folder]);
    },
    unmount() {
      // Lazily, since a process that was killed may still be on its way out.
      execFileSync('umount', ['--lazy', folder]);
    },
  };
}
