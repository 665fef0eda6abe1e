import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A program that runs JavaScript, as a package of the npm registry carries it. */
export interface Runtime {
  /** As people call it: `Node 24`. */
  readonly name: string;
  readonly executable: string;
}

/** Outside the tree, so that a fresh clone doesn't fetch them again. */
const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'plant-store',
  'runtimes',
);

/** The newest Node of a version such as `24` or `24.21.0`, for this platform. It is built for glibc. */
export function fetchNode(version: string): Runtime {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return fetchRuntime(`Node ${version}`, `node-${platform}-${process.arch}`, version, 'node');
}

export function fetchBun(): Runtime {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  return fetchRuntime('Bun', `@oven/bun-${process.platform}-${arch}`, '1', 'bun');
}

function fetchRuntime(
  name: string,
  packageName: string,
  version: string,
  program: string,
): Runtime {
  const folder = join(CACHE, `${program}-${version}`);
  mkdirSync(folder, { recursive: true });
  const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', [...install, '--prefix', folder, `${packageName}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { name, executable: join(folder, 'node_modules', packageName, 'bin', program) };
}
