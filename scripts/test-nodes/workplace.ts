import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Runtime } from './runtime.js';

const ROOT = new URL('../../', import.meta.url).pathname;

/** What builds native code, and the Node that is installed here. */
const OUT_OF_REACH =
  /^(?:[\w.]+-linux-\w+-)?(?:cc|c\+\+|gcc|g\+\+|cpp|clang|clang\+\+|ld|make|gmake|cmake|ninja|node-gyp|python|pypy|node|npm|npx|corepack)[\d.-]*$/;

const COMMAND_TIMEOUT_MS = 10 * 60_000;
const MAX_SHOWN = 6000;

/** A fresh clone of what is committed, and a PATH on which one runtime is and no compiler. */
export interface Workplace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Runs a command in the clone.
   * @returns how long it took, in seconds
   * @throws Error with the end of what it said where it fails
   */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): number;
  remove(): void;
}

export function createWorkplace(runtime: Runtime): Workplace {
  const top = mkdtempSync(join(tmpdir(), 'plants-nodes-'));
  const folder = join(top, 'clone');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, folder]);
  const programs = join(top, 'bin');
  linkPrograms(programs, runtime);
  // What npm and node were told for this run isn't what they are told for that one.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('npm_') && name !== 'NODE_OPTIONS',
  );
  const env = { ...Object.fromEntries(inherited), PATH: programs };
  return {
    folder,
    env,
    run(command, args, more = {}) {
      const startedAt = performance.now();
      const logFile = join(top, 'log');
      const log = openSync(logFile, 'w');
      const { status, error } = spawnSync(command, args, {
        cwd: folder,
        env: { ...env, ...more },
        stdio: ['ignore', log, log],
        timeout: COMMAND_TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      closeSync(log);
      if (status !== 0) {
        const said = readFileSync(logFile, 'utf8').slice(-MAX_SHOWN);
        const why = error?.message ?? `exit ${status}`;
        throw new Error(`${command} ${args.join(' ')}: ${why}\n${said}`);
      }
      return (performance.now() - startedAt) / 1000;
    },
    remove() {
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** Fills a folder with links to all that is on the PATH and within reach, and to the runtime. */
function linkPrograms(folder: string, { executable }: Runtime): void {
  mkdirSync(folder);
  const linked = new Set<string>();
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of namesIn(place)) {
      if (linked.has(name) || OUT_OF_REACH.test(name)) continue;
      symlinkSync(join(place, name), join(folder, name));
      linked.add(name);
    }
  }
  symlinkSync(executable, join(folder, 'node'));
  const npm = join(folder, 'npm');
  writeFileSync(npm, `#!/bin/sh\nexec node '${process.env.npm_execpath ?? ''}' "$@"\n`);
  chmodSync(npm, 0o755);
}

function namesIn(folder: string): string[] {
  // The PATH of `npm run` also has the tools of the tree that is not to be tested.
  if (folder.includes('node_modules')) return [];
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
