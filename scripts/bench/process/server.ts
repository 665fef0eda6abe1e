import type { ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken } from 'contract-server/auth';
import { openDatabase } from '../../../src/plants/sqlite-driver.js';
import { setupEnv, type Setup } from '../contestants/setup.js';
import { endProcess, startNode } from './child-process.js';
import { startCollector } from './collector.js';
import type { Contestant } from './contestants.js';

/** Of `npm start`. Everybody has it, so that what differs is the programs alone. */
export const NODE_FLAGS = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
];
const START_TIMEOUT_MS = 15_000;
const START_POLL_MS = 20;
/** How much of what a contestant said is shown where it doesn't start. */
const MAX_LOG_SHOWN = 2000;

/** Those of contestants that have not been stopped. */
const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A contestant that listens. */
export interface Server extends Setup {
  /** The contestant's. */
  readonly name: string;
  readonly pid: number;
  /** How many plants it has kept. */
  readonly countPlants: () => Promise<number>;
  /** Ends it at once and removes everything it has kept. */
  stop(): Promise<void>;
}

/**
 * Starts a contestant in a new empty folder and resolves once it listens.
 * @param databaseFile one that is there already, and stays
 */
export async function startServer(
  { name, args, env, database, hasCollector = false }: Contestant,
  databaseFile?: string,
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'plants-bench-'));
  folders.add(folder);
  const tokensFile = join(folder, 'tokens');
  const setup: Setup = {
    port: await findFreePort(),
    databaseFile: databaseFile ?? join(folder, 'plants.db'),
    token: createToken(tokensFile, 'bench'),
  };
  // The log goes to a file: a pipe would need somebody to empty it, on a processor that is measured.
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'w');
  const collector = hasCollector ? await startCollector() : undefined;
  const child = startNode(
    [...NODE_FLAGS, ...args],
    {
      ...setupEnv(setup),
      // As express's page on performance asks for; it is the same for all.
      NODE_ENV: 'production',
      DATABASE_URL: database?.url ?? `sqlite:${setup.databaseFile}`,
      TOKENS_FILE: tokensFile,
      ...(collector && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
      ...env,
    },
    log,
  );
  closeSync(log);
  const stop = async (): Promise<void> => {
    await endProcess(child);
    await collector?.close();
    rmSync(folder, { recursive: true });
    folders.delete(folder);
  };
  try {
    await waitUntilListening(child, setup.port);
  } catch (error) {
    const said = readFileSync(logFile, 'utf8').slice(-MAX_LOG_SHOWN);
    await stop();
    throw new Error(`${name} did not start; it said: ${said}`, { cause: error });
  }
  const countPlants = database?.count ?? (() => Promise.resolve(countIn(setup.databaseFile)));
  return { ...setup, name, pid: child.pid ?? NaN, countPlants, stop };
}

function countIn(databaseFile: string): number {
  const db = openDatabase(databaseFile, { readOnly: true });
  try {
    return Number(db.prepare('SELECT COUNT(*) AS count FROM plants').get()?.count);
  } finally {
    db.close();
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function waitUntilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error(`it did not listen within ${START_TIMEOUT_MS} ms`);
    await sleep(START_POLL_MS);
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
