import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Workplace } from './workplace.js';

/** The curl of the README. */
const PLANT = '{"id":9007199254740993,"name":"monkey puzzle","tag":"araucaria"}';
const ANSWER = '{"name":"monkey puzzle","tag":"araucaria"}';

/**
 * Starts the service with nothing stored, creates a plant, and stops it.
 * @returns the seconds from the start of the process to that answer
 * @throws Error where the service answers anything else, says anything on standard error, or
 * doesn't stop with 0
 */
export async function timeFirstAnswer(
  { folder, env }: Workplace,
  command: readonly [string, ...string[]],
): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'plants-nodes-data-'));
  const startedAt = performance.now();
  const child = spawn(command[0], command.slice(1), {
    cwd: folder,
    env: {
      ...env,
      PORT: '0',
      DATABASE_URL: `sqlite:${join(data, 'plants.db')}`,
      TOKENS_FILE: join(data, 'tokens'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  try {
    const { url, pid } = await Promise.race([
      listening(createInterface({ input: child.stdout })),
      exited.then(() => Promise.reject(new Error(`the service has not started: ${errors}`))),
    ]);
    const token = readFileSync(join(data, 'first-token'), 'utf8').trim();
    const response = await fetch(`${url}/plants`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: PLANT,
    });
    const text = await response.text();
    const seconds = (performance.now() - startedAt) / 1000;
    if (response.status !== 200 || text !== ANSWER) {
      throw new Error(`the service answered ${response.status} ${text}`);
    }
    process.kill(pid, 'SIGTERM');
    const [code] = (await exited) as [number | null]; // of the event
    if (code !== 0) throw new Error(`the service stopped with ${code}`);
    // What npm itself has to say is not the service's.
    const said = errors.split('\n').filter((line) => line !== '' && !line.startsWith('npm '));
    if (said.length > 0) throw new Error(`the service said on standard error: ${said.join('\n')}`);
    return seconds;
  } finally {
    child.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
}

/** The log line that says where the service listens. npm writes lines of its own before the log. */
async function listening(lines: AsyncIterable<string>): Promise<{ url: string; pid: number }> {
  for await (const line of lines) {
    if (!line.startsWith('{')) continue;
    const { url, pid } = JSON.parse(line) as { url?: string; pid: number }; // written by pino
    if (url !== undefined) return { url, pid };
  }
  throw new Error('the log of the service has ended');
}
