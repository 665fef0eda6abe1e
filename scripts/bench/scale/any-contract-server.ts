/**
 * The service's parts around another contract, the file CONTRACT: every operation of it creates a
 * plant. Like a contestant, it finds its setup in the environment.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import express from 'express';
import type * as App from '../../../src/app.js';
import { createHttpServer, readContract, serveContract } from 'contract-server';
import { bearerStrategy, createTokenVerifier } from 'contract-server/auth';
import type * as CreatePlant from '../../../src/plants/create-plant.js';
import type * as Store from '../../../src/plants/sqlite-plant-store.js';
import { readSetup } from '../contestants/setup.js';

/** A part of the service as it is built; who asks knows what it is built from. */
async function built(path: string): Promise<unknown> {
  return (await import(pathToFileURL(`dist/src/${path}.js`).href)) as unknown;
}

const { createPlantHandler } = (await built('plants/create-plant')) as typeof CreatePlant;
const { openSqlitePlantStore } = (await built('plants/sqlite-plant-store')) as typeof Store;
const { errorBody } = (await built('app')) as typeof App;

const { CONTRACT = '', TOKENS_FILE = '' } = process.env;
const { port, databaseFile } = readSetup();
const { paths } = JSON.parse(readFileSync(CONTRACT, 'utf8')) as {
  paths: Record<string, { post: { operationId: string } }>; // as wide-contract.ts writes it
};
const store = openSqlitePlantStore(databaseFile);
const createPlant = createPlantHandler(store);

const contract = await serveContract({
  document: await readContract(CONTRACT),
  handlers: Object.fromEntries(
    Object.values(paths).map(({ post }) => [post.operationId, createPlant]),
  ) as never, // the operations are known only now
  strategies: { bearerAuth: bearerStrategy(createTokenVerifier(TOKENS_FILE), { realm: 'plants' }) },
  limits: { maxBodyBytes: 1_048_576, requestTimeoutMs: 30_000 },
  errorBody,
  checkAvailable: () => undefined,
  onFault: (fault) => {
    console.error(fault);
  },
});

const app = express().disable('x-powered-by').disable('etag');
app.use(contract.operations, contract.checkRequest, contract.notFound, contract.onError);
createHttpServer(app, {
  requestTimeoutMs: 30_000,
  errorBody,
  onServed: () => {
    store.flush();
  },
  onRefused: () => undefined,
}).listen(port, '127.0.0.1');
