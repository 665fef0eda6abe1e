import { Writable } from 'node:stream';
import type { Express } from 'express';
import { pino } from 'pino';
import { createApp, type AppDeps } from '../../src/app.js';
import { readContract } from 'contract-server';
import { createToken, createTokenVerifier } from 'contract-server/auth';
import { openSqlitePlantStore } from '../../src/plants/sqlite-plant-store.js';
import { CONTRACT_PATH, plantsClient, type PlantsClient } from './contract.js';
import { query } from './database.js';
import { createFolder } from './service.js';

/** Read once: it is never changed, and reading it costs more than everything else in a test. */
const contract = readContract(CONTRACT_PATH);

/** The service in this process: a real store and real tokens in a folder of its own. */
export interface TestApp {
  readonly app: Express;
  /** Talks to it with a good token, and holds all that it answers against the contract. */
  readonly api: PlantsClient;
  readonly token: string;
  readonly tokensFile: string;
  readonly databasePath: string;
  readonly log: Record<string, unknown>[];
  /** Forgets every plant and every line of the log, for the next test. */
  reset(): void;
  close(): Promise<void>;
}

/** What a test has otherwise than the service. */
export type TestAppOptions = Omit<Partial<AppDeps>, 'config'> & {
  readonly config?: Partial<AppDeps['config']>;
};

export async function createTestApp(overrides: TestAppOptions = {}): Promise<TestApp> {
  const folder = createFolder();
  const databasePath = `${folder}/plants.db`;
  const tokensFile = `${folder}/tokens`;
  const token = createToken(tokensFile, 'test');
  const store = openSqlitePlantStore(databasePath);
  const log: Record<string, unknown>[] = [];
  const app = await createApp({
    contract: await contract,
    store,
    verifyToken: createTokenVerifier(tokensFile),
    logger: pino({ level: 'info' }, memory(log)),
    isStopping: () => false,
    ...overrides,
    config: {
      basePath: '',
      maxBodyBytes: 1_048_576,
      requestTimeoutMs: 30_000,
      trustProxy: false,
      ...overrides.config,
    },
  });
  const api = plantsClient(app, {
    headers: { Authorization: `Bearer ${token}` },
    basePath: overrides.config?.basePath ?? '',
  });
  return {
    app,
    api,
    token,
    tokensFile,
    databasePath,
    log,
    reset() {
      query(databasePath, 'DELETE FROM plants');
      log.length = 0;
    },
    close: () => store.close(),
  };
}

/** A stream that keeps each line of a log, parsed. */
function memory(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
}
