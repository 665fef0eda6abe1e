import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createToken } from 'contract-server/auth';
import { eventually } from '../../support/eventually.js';
import { createFolder } from '../../support/service.js';
import { findFreePort } from './cluster.js';

const READY_WITHIN_MS = 20_000;
const ROOT = new URL('../../../', import.meta.url).pathname;

/** One of several copies of the service, on a port that it keeps through its restarts. */
export interface Replica {
  readonly port: number;
  /** Every line of the log of the last start. */
  readonly log: readonly string[];
  /** Resolves once it listens. */
  start(): Promise<void>;
  /** Ends it as an operator does, and resolves with its exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export interface SharedTokens {
  readonly token: string;
  /** As a secret is mounted on each machine: none of them may write to it. */
  readonly tokensFile: string;
}

export function shareTokens(): SharedTokens {
  const tokensFile = `${createFolder()}/tokens`;
  const token = createToken(tokensFile, 'shared');
  chmodSync(tokensFile, 0o400);
  return { token, tokensFile };
}

export interface ReplicaOptions {
  /** What Node is started with; the service itself by default. */
  readonly program?: readonly string[] | undefined;
  /** Settings beside those of where it listens and what it shares. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function createReplica(
  databaseUrl: string,
  { tokensFile }: Pick<SharedTokens, 'tokensFile'>,
  { program = ['dist/src/main.js'], env = {} }: ReplicaOptions = {},
): Promise<Replica> {
  const port = await findFreePort();
  const log: string[] = [];
  let child: ChildProcess | undefined;

  return {
    port,
    log,
    async start() {
      log.length = 0;
      const started = spawn(process.execPath, [...program], {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          DATABASE_URL: databaseUrl,
          TOKENS_FILE: tokensFile,
          LOG_LEVEL: 'error',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        createInterface({ input: stream }).on('line', (line) => log.push(line));
      }
      await eventually(() => {
        if (started.exitCode !== null) throw new Error(`the replica has ended: ${log.join('\n')}`);
        return isReady(port);
      }, READY_WITHIN_MS);
    },
    async stop() {
      child?.kill('SIGTERM');
      if (child?.exitCode === null) await once(child, 'exit');
      return child?.exitCode ?? null;
    },
    async kill() {
      child?.kill('SIGKILL');
      if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function isReady(port: number): Promise<true | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return response.ok || undefined;
  } catch {
    return undefined;
  }
}
