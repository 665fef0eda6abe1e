import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The service as a process of its own, on a free port, with everything it keeps in `folder`. */
export interface Service {
  readonly url: string;
  readonly folder: string;
  readonly token: string;
  readonly process: ChildProcess;
  /** Every line of its log so far. */
  readonly log: Record<string, unknown>[];
  /** Resolves with the exit code, null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Kills it at once, as a power cut would. */
  kill(): Promise<void>;
}

/** Starts the compiled service and resolves once it says that it listens. */
export async function startService(
  env: Record<string, string> = {},
  folder: string = createFolder(),
): Promise<Service> {
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...serviceEnv(folder), ...env },
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
      if (typeof entry['url'] === 'string') resolve(entry['url']);
    });
    void exited.then((code) => {
      reject(new Error(`the service exited with ${code}: ${errors}`));
    });
  });
  return {
    url,
    folder,
    token: readFileSync(join(folder, 'first-token'), 'utf8').trim(),
    process: child,
    log,
    exited,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A new empty folder for one service. */
export function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'plants-'));
}

export function serviceEnv(folder: string): Record<string, string> {
  return {
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
    TOKENS_FILE: join(folder, 'tokens'),
  };
}
