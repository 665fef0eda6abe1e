import { createServer } from 'node:http';
import { ContractError, parseContract, serveContract } from 'contract-server';
import { listOperations } from 'contract-server/contract';
import { listen, type Answer, type Members, type Started } from 'contract-testing/generate';
import express from 'express';
import { errorBody } from '../../src/app.js';
import { bearerStrategy, type Principal } from 'contract-server/auth';
import { createPlantsModel } from './plants-model.js';
import { MAX_BODY_BYTES, servePlants } from './plants-service.js';

const TOKEN = 'a-token';

/** Who calls the services below. */
export const caller = { secrets: { bearerAuth: TOKEN }, maxBodyBytes: MAX_BODY_BYTES };

/** The whole plant store with another contract. */
export function serveMutant(mutant: Members): Promise<Started> {
  return start(async () => ({
    ...(await servePlants({ contract: await parseContract(mutant), verifyToken })),
    expect: createPlantsModel(),
  }));
}

/** The engine with another contract and handlers that answer as they are told. */
export function serveMutantAnswers(mutant: Members, answer: () => Answer): Promise<Started> {
  return start(async () => {
    const document = await parseContract(mutant);
    const ids = listOperations(document).map(({ operationId }) => operationId);
    const contract = await serveContract<Record<string, never>, unknown>({
      document,
      handlers: Object.fromEntries(ids.map((id) => [id, answer])),
      strategies: { bearerAuth: bearerStrategy(verifyToken, { realm: 'plants' }) },
      limits: { maxBodyBytes: MAX_BODY_BYTES, requestTimeoutMs: 10_000 },
      errorBody,
      checkAvailable: () => undefined,
      onFault: () => undefined,
    });
    const app = express().disable('x-powered-by').disable('etag');
    app.use(contract.operations, contract.checkRequest, contract.notFound, contract.onError);
    return listen(createServer(app));
  });
}

function verifyToken(token: string): Principal | undefined {
  return token === TOKEN ? { name: 'test', scopes: [] } : undefined;
}

async function start(boot: () => Promise<Exclude<Started, string>>): Promise<Started> {
  try {
    return await boot();
  } catch (error) {
    if (error instanceof ContractError) return `it does not start: ${error.message}`;
    throw error;
  }
}
