import express, { type Express, type RequestHandler } from 'express';
import { pino, type Logger } from 'pino';
import { summarizeWarnings, type ContractWarning } from '../document/contract-warning.js';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import type { Observer } from '../exchange/observer.js';
import { listOperations } from '../operation/operation.js';
import type { RateLimiter } from '../security/rate-limit.js';
import { serveContract, type ContractOptions } from '../serve.js';
import { createContractFiles } from '../server/contract-files.js';
import { createCors, createCorsHeaders } from '../server/cors.js';
import { createHealthRouter } from '../server/health.js';
import { BODY_TIMEOUTS } from '../server/http-server.js';
import { createRequestLog, requestIdOf } from '../server/request-log.js';
import type { EdgeConfig } from './edge-settings.js';
import type { ServiceConfig } from './settings.js';

export interface AppOptions<Operations, Principal> extends Omit<
  ContractOptions<Operations, Principal>,
  'limits' | 'limitRate' | 'onWarning' | 'onFault' | 'checkAvailable'
> {
  readonly config: Pick<
    ServiceConfig,
    'basePath' | 'maxBodyBytes' | 'requestTimeoutMs' | 'trustProxy'
  > &
    Partial<EdgeConfig>;
  /** Left out, nothing is logged. */
  readonly logger?: Logger;
  /** Is told what becomes of each request; left out, nobody is. */
  readonly observer?: Observer | undefined;
  /** True while requests are refused because the service stops; left out, it never is. */
  readonly isStopping?: () => boolean;
  /** True from when the service was told to stop, and isn't ready any more; left out, it never is. */
  readonly isLeaving?: () => boolean;
  /** Rejects where the service can't take requests, such as when its store can't be written. */
  readonly checkReady?: () => Promise<void>;
  /** Counts the requests of callers where RATE_LIMIT is set; left out, this process does. */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Makes what shows the contract at `/docs`, such as `createDocs` of contract-docs; called where DOCS is
   * on. Left out, the contract is served without it.
   */
  readonly createDocs?: (options: DocsOptions) => Promise<RequestHandler>;
}

export interface DocsOptions {
  readonly title: string;
  /** Where the contract is, relative to the page. */
  readonly contractUrl: string;
}

/**
 * A contract, its handlers and its strategies as an express app, which never listens: with a request
 * log, `/healthz` and `/readyz`, and refusals while the service stops.
 * @throws ContractError where contract, handlers and strategies don't fit each other
 */
export async function createContractApp<Operations, Principal>({
  config,
  logger = pino({ enabled: false }),
  observer,
  isStopping = () => false,
  isLeaving = () => false,
  checkReady = () => Promise.resolve(),
  createDocs,
  rateLimiter,
  ...options
}: AppOptions<Operations, Principal>): Promise<Express> {
  const warnings: ContractWarning[] = [];
  const { basePath, docs = false, corsOrigins = [], rateLimit = false } = config;
  const limitRate =
    rateLimit === false
      ? undefined
      : (await import('../security/rate-limit.js')).createRateLimit(rateLimit, rateLimiter);
  const contract = await serveContract<Operations, Principal>({
    ...options,
    limitRate,
    limits: config,
    onWarning: (warning) => warnings.push(warning),
    checkAvailable: () => (isStopping() ? stopping() : undefined),
    onFault: ({ error, ...fault }, res) => {
      const { observation }: ExchangeLocals = res.locals;
      observation?.faulted(fault.problems === undefined ? 'error' : 'response');
      const trace = { trace_id: observation?.traceId, span_id: observation?.spanId };
      logger.error({ requestId: requestIdOf(res), ...fault, err: error, ...trace }, 'fault');
    },
  });

  for (const warning of summarizeWarnings(warnings)) {
    logger.warn(warning, 'the service does not hold this of the contract');
  }
  observer?.serves(listOperations(options.document));

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', config.trustProxy);
  app.set(BODY_TIMEOUTS, Math.ceil(contract.maxBodyBytes / config.maxBodyBytes));

  const root = basePath === '' ? '/' : basePath;
  app.use(createRequestLog(logger, observer));
  if (corsOrigins.length > 0) app.use(createCors(createCorsHeaders(corsOrigins, options.document)));
  app.use(root, contract.operations);
  app.use(contract.checkRequest);
  if (docs) {
    app.use(root, await createContractFiles(options.document, basePath));
    const { title } = options.document.root.info as { title: string }; // required by OpenAPI 3.1.0 §4.8.2
    if (createDocs) app.use(root, await createDocs({ title, contractUrl: 'openapi.json' }));
  }
  app.use(
    createHealthRouter({
      isStopping: () => isLeaving() || isStopping(),
      checkWritable: checkReady,
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

function stopping(): ApiError {
  return new ApiError(EngineCode.stopping, 'the service is stopping; nothing was changed', {
    'Retry-After': '1',
    Connection: 'close',
  });
}
