import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The memory, in MB, that a process has in RAM now (its resident set). */
export function readResidentMb(pid: number): number {
  const kib = existsSync('/proc/self/status')
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kib) * 1024) / 1e6;
}
