import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Handlers } from './api.js';
import { createBearerStrategy } from './auth/bearer-strategy.js';
import type { VerifyToken } from './auth/token-verifier.js';
import {
  ApiError,
  createHealthRouter,
  createRequestLog,
  EngineCode,
  requestIdOf,
  serveContract,
  type ContractDocument,
} from 'contract-server';
import type { Config } from './config.js';
import { createPlantHandler } from './plants/create-plant.js';
import type { PlantStore } from './plants/plant-store.js';

export interface AppDeps {
  readonly contract: ContractDocument;
  /** Of the contract whose types the handlers were compiled with; not checked where it is left out. */
  readonly contractDigest?: string;
  readonly config: Pick<Config, 'basePath' | 'maxBodyBytes' | 'requestTimeoutMs' | 'trustProxy'>;
  readonly store: PlantStore;
  readonly verifyToken: VerifyToken;
  readonly logger: Logger;
  /** True once the service has been told to stop. */
  readonly isStopping: () => boolean;
}

/**
 * The whole service as an express app, which never listens.
 * @throws ContractError where contract, handlers and strategies don't fit each other
 */
export async function createApp(deps: AppDeps): Promise<Express> {
  const {
    contract: document,
    contractDigest,
    config,
    store,
    verifyToken,
    logger,
    isStopping,
  } = deps;
  const handlers: Handlers = {
    createPlant: createPlantHandler(store),
  };
  const contract = await serveContract({
    document,
    handlers,
    ...(contractDigest !== undefined && { contractDigest }),
    strategies: { bearerAuth: createBearerStrategy(verifyToken) },
    limits: config,
    errorBody,
    onWarning: (note) => {
      logger.warn(note, 'the service does not hold this of the contract');
    },
    checkAvailable: () => (isStopping() ? stopping() : undefined),
    onFault: ({ error, ...fault }, res) => {
      logger.error({ requestId: requestIdOf(res), ...fault, err: error }, 'fault');
    },
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', config.trustProxy);

  app.use(createRequestLog(logger));
  app.use(config.basePath === '' ? '/' : config.basePath, contract.operations);
  app.use(contract.checkRequest);
  app.use(
    createHealthRouter({
      isStopping,
      checkWritable: () => store.checkWritable(),
      onChange: (failure) => {
        if (failure === undefined) logger.info('ready again');
        else logger.error({ err: failure }, 'not ready');
      },
    }),
  );
  app.use(contract.notFound);
  app.use(contract.onError);
  return app;
}

/** The contract's `Error`. */
export function errorBody({ code, message }: ApiError): { error: number; message: string } {
  return { error: code, message };
}

function stopping(): ApiError {
  return new ApiError(EngineCode.stopping, 'the service is stopping; nothing was changed', {
    'Retry-After': '1',
    Connection: 'close',
  });
}
