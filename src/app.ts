import type { Express } from 'express';
import type { Logger } from 'pino';
import {
  createContractApp,
  type ApiError,
  type AppOptions,
  type ContractDocument,
  type RateLimiter,
  type Observer,
} from 'contract-server';
import { bearerStrategy, type Principal, type VerifyBearer } from 'contract-server/auth';
import type { operations } from '../generated/openapi.js';
import type { Handlers } from './api.js';
import { createPlantHandler } from './plants/create-plant.js';
import type { PlantStore } from './plants/plant-store.js';

export interface AppDeps {
  readonly contract: ContractDocument;
  /** Of the contract whose types the handlers were compiled with; not checked where it is left out. */
  readonly contractDigest?: string;
  readonly config: AppOptions<operations, Principal>['config'];
  readonly store: PlantStore;
  readonly verifyToken: VerifyBearer;
  /** Left out, this process counts the requests of each caller by itself. */
  readonly rateLimiter?: RateLimiter | undefined;
  readonly logger: Logger;
  readonly observer?: Observer | undefined;
  /** True while requests are refused because the service stops. */
  readonly isStopping: () => boolean;
  /** True from when it was told to stop; until it is stopping, it goes on serving. */
  readonly isLeaving?: () => boolean;
}

/** The realm that every challenge names. */
const REALM = 'plants';

/**
 * The whole service as an express app, which never listens.
 * @throws ContractError where contract, handlers and strategies don't fit each other
 */
export async function createApp(deps: AppDeps): Promise<Express> {
  const { contract, store, verifyToken, ...rest } = deps;
  const handlers: Handlers = {
    createPlant: createPlantHandler(store),
  };
  return createContractApp<operations, Principal>({
    ...rest,
    document: contract,
    handlers,
    strategies: { bearerAuth: bearerStrategy(verifyToken, { realm: REALM }) },
    realm: REALM,
    errorBody,
    checkReady: () => store.checkWritable(),
    createDocs: async (docs) => (await import('contract-docs')).createDocs(docs),
  });
}

/** The contract's `Error`. */
export function errorBody({ code, message }: ApiError): { error: number; message: string } {
  return { error: code, message };
}
