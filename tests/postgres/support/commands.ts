import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSIONS = '/usr/lib/postgresql';

/** Where Debian has the programs of its newest PostgreSQL. */
function postgresFolder(): string {
  const newest = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error(`there is no PostgreSQL in ${VERSIONS}`);
  return join(VERSIONS, newest, 'bin');
}

/**
 * A program of PostgreSQL, or any by its path. PostgreSQL refuses to run as root, which is therefore, to its
 * eyes, the user that Debian's package makes.
 */
function commandOf(program: string, args: readonly string[]): [string, string[]] {
  const path = program.includes('/') ? program : join(postgresFolder(), program);
  if (process.getuid?.() !== 0) return [path, [...args]];
  return ['unshare', ['--map-user=postgres', '--map-group=postgres', path, ...args]];
}

/** Runs a program to its end, and rejects with what it says where it fails. */
export async function runAsPostgres(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(...commandOf(program, args), { cwd: '/' });
  return stdout;
}

/** Starts a server; what it says is in `output`. */
export function startAsPostgres(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn(...commandOf(program, args), {
    cwd: '/',
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  }
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  return { child, exited, output: () => lines.join('') };
}

export interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  output(): string;
}

/** A new folder for a server, with a name short enough for that of a socket in it. */
export function createServerFolder(): string {
  return mkdtempSync(join(tmpdir(), 'plants-pg-'));
}

/** The processes that a server has started. */
export function childrenOf({ pid }: ChildProcess): number[] {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return listed.stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0);
}
