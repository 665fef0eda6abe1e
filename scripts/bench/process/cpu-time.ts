import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Linux shows times in /proc in this unit, whatever the kernel's own (proc_pid_stat(5)). */
const TICK_MICROS = 10_000;

/** The processor time, user and system, that all threads of a process have had, in microseconds. */
export function readCpuMicros(pid: number): number {
  return existsSync('/proc/self/stat') ? readFromProc(pid) : readFromPs(pid);
}

function readFromProc(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name, may hold spaces, but ends with the last parenthesis.
  const [, utime, stime] = /.*\)(?: \S+){11} (\d+) (\d+)/s.exec(stat) ?? [];
  return (Number(utime) + Number(stime)) * TICK_MICROS;
}

/** Where there is no /proc: POSIX has `ps`, which says [[days-]hours:]minutes:seconds. */
function readFromPs(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?(\S+)$/.exec(time.trim()) ?? [];
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1e6;
}
