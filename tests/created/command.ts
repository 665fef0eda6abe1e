import { spawn } from 'node:child_process';

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command to its end; its output is that of both streams. */
export function runCommand(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env: environment(env) });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, output });
    });
  });
}

export interface RunningService {
  readonly url: string;
  /** Asks it to stop; resolves with all that it has said by its end. */
  readonly stop: () => Promise<string>;
}

/** Starts a service that says where it listens, as a JSON line of its log. */
export function startCommand(
  folder: string,
  command: string,
  args: readonly string[],
): Promise<RunningService> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what npm has started stops with it.
    const child = spawn(command, args, {
      cwd: folder,
      env: environment({ PORT: '0' }),
      detached: true,
    });
    const ended = new Promise<number | null>((resolveEnd) => child.once('close', resolveEnd));
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /"url":"([^"]+)"/.exec(output)?.[1];
      if (url === undefined) return;
      resolve({
        url,
        stop: async () => {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
          await ended;
          return output;
        },
      });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void ended.then((code) => {
      reject(new Error(`ended with ${code} instead of listening:\n${output}`));
    });
  });
}

/** Without what npm and jest have put there for the project that runs the tests. */
function environment(own: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|NODE_OPTIONS|JEST_|INIT_CWD)/.test(name),
  );
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...own };
}
