import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { contractDigest } from '../generated/openapi.js';
import { createApp, errorBody } from './app.js';
import { createFirstToken } from './auth/first-token.js';
import { createTokenVerifier } from './auth/token-verifier.js';
import { ConfigError, readConfig, type Config } from './config.js';
import {
  ContractError,
  readContract,
  createDrain,
  createHttpServer,
  createLogStream,
} from 'contract-server';
import { openSqlitePlantStore } from './plants/sqlite-plant-store.js';
import { StoreFileError } from './plants/store-file.js';

/** The environment, the contract or what was supplied for it is wrong; nothing has been started. */
const EXIT_BAD_SETUP = 2;
/** How long the last lines of the log may take, where a disk is full or nobody reads them. */
const LAST_LINES_MS = 500;

async function start(config: Config): Promise<void> {
  const log = createLogStream({
    onDropped: (dropped) => {
      logger.warn({ dropped }, 'lines are missing here: the log could not be written');
    },
  });
  const logger = pino({ level: config.logLevel }, log);
  let isStopping = false;

  const contract = await readContract(fileURLToPath(import.meta.resolve('#contract')));
  const firstToken = createFirstToken(config.tokensFile);
  if (firstToken !== undefined)
    logger.info({ file: firstToken }, 'made a first token, which is in this file');

  const store = openSqlitePlantStore(config.databaseUrl.path, {
    onUnchecked: (bytes) => {
      logger.warn(
        { bytes },
        'the file of the store is too large to look for damage in it at start',
      );
    },
  });
  const app = await createApp({
    contract,
    contractDigest,
    config,
    store,
    verifyToken: createTokenVerifier(config.tokensFile),
    logger,
    isStopping: () => isStopping,
  });
  const server = createHttpServer(app, {
    requestTimeoutMs: config.requestTimeoutMs,
    errorBody,
    // So one commit takes all the plants that arrived together, and begins in the same turn.
    onServed: () => {
      store.flush();
    },
    onRefused: ({ status, code }) => {
      logger.info({ status, code }, 'refused before it was a request');
    },
  });
  const drain = createDrain(server);

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (isStopping) process.exit(1);
    isStopping = true;
    logger.info({ signal }, 'stopping');
    const isDrained = await drain(config.shutdownTimeoutMs);
    await store.close();
    if (isDrained) logger.info('stopped');
    else logger.error('stopped with requests unanswered: SHUTDOWN_TIMEOUT_MS was too short');
    await log.flush(LAST_LINES_MS);
    process.exit(isDrained ? 0 : 1);
  }
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  const host = family === 'IPv6' ? `[${address}]` : address;
  logger.info({ url: `http://${host}:${port}${config.basePath}` }, 'listening');
}

try {
  if (existsSync('.env')) process.loadEnvFile();
  await start(readConfig(process.env));
} catch (error) {
  const isBadSetup = error instanceof ConfigError || error instanceof ContractError;
  // What the system says, such as a port in use, needs no stack; a bug does.
  const isForPeople =
    isBadSetup || error instanceof StoreFileError || (error instanceof Error && 'syscall' in error);
  console.error(isForPeople ? error.message : error);
  process.exit(isBadSetup ? EXIT_BAD_SETUP : 1);
}
