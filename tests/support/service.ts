import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { plantsClient, type PlantsClient } from './contract.js';
import { eventually } from './eventually.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const COMMAND_LINE = join(ROOT, 'node_modules/contract-server/bin/contract-server.js');
/** A start that should fail and doesn't is ended after this time. */
const RUN_TIMEOUT_MS = 10_000;

/** The service as a process of its own, on a free port, with everything it keeps in `folder`. */
export interface Service {
  readonly url: string;
  /** Talks to it with its first token, and holds all that it answers against the contract. */
  readonly api: PlantsClient;
  readonly folder: string;
  readonly token: string;
  readonly process: ChildProcess;
  /** Every line of its log so far. */
  readonly log: Record<string, unknown>[];
  /** Resolves with the exit code, null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Resolves with the first line of its log that has these members, once there is one. */
  logged(members: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Kills it at once, as a power cut would. */
  kill(): Promise<void>;
}

/** For a process that lives a second: to optimize its code would take longer than that saves. */
const SHORT_LIVED = ['--no-opt'];

/**
 * Starts the compiled service and resolves once it says that it listens.
 * @param launcher a command that becomes the one that follows it
 */
export async function startService(
  env: Record<string, string> = {},
  folder: string = createFolder(),
  cwd: string = ROOT,
  launcher: readonly string[] = [],
): Promise<Service> {
  const node = [process.execPath, ...SHORT_LIVED, join(ROOT, 'dist/src/main.js')];
  const [command = '', ...args] = [...launcher, ...node];
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...serviceEnv(folder), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const log: Record<string, unknown>[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (typeof entry.url === 'string') resolve(entry.url);
    });
    void exited.then((code) => {
      reject(new Error(`the service exited with ${code}: ${errors}`));
    });
  });
  const token = readFileSync(join(folder, 'first-token'), 'utf8').trim();
  const { origin, pathname } = new URL(url);
  return {
    url,
    api: plantsClient(origin, {
      basePath: pathname.replace(/\/$/, ''),
      headers: { Authorization: `Bearer ${token}` },
    }),
    folder,
    token,
    process: child,
    log,
    exited,
    logged: (members) =>
      eventually(() =>
        log.find((line) => Object.entries(members).every(([name, value]) => line[name] === value)),
      ),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a compiled script to its end. */
export function run(
  script: 'src/main.js' | 'scripts/export.js' | 'scripts/move.js' | 'token',
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Run> {
  const file = script === 'token' ? COMMAND_LINE : join(ROOT, 'dist', script);
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...SHORT_LIVED, file, ...args],
      {
        cwd: ROOT,
        env: { PATH: process.env.PATH, ...env },
        timeout: RUN_TIMEOUT_MS,
        killSignal: 'SIGKILL',
      },
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      },
    );
  });
}

/** A new empty folder for one service; it is gone after the run. */
export function createFolder(): string {
  return mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'plants-'));
}

export function serviceEnv(folder: string): Record<string, string> {
  return {
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
    TOKENS_FILE: join(folder, 'tokens'),
  };
}
