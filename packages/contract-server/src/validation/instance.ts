import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { integerFormats } from '../schema/integers.js';
import { SLICE_METHOD, slicePath } from './slice.js';

/** What express-openapi-validator knows of one operation; every request that it validates carries it. */
export type KnownOperation = unknown;

/** As {@link ValidatorInstance.validateRequests}. */
export type ValidateResponses = (
  status: number,
  values: readonly unknown[],
) => Promise<Error | undefined>;

/** One instance of express-openapi-validator, for as many operations as its document has slices of. */
export class ValidatorInstance {
  readonly #findOperation: readonly RequestHandler[];
  readonly #validateRequest: RequestHandler;
  readonly #validateResponse: RequestHandler;

  /** @param slices a document of some slices */
  constructor(slices: object) {
    const chain = createChain(slices);
    const [validateRequest, validateResponse] = chain.slice(-2);
    if (validateRequest === undefined || validateResponse === undefined) {
      throw new Error('the validator has no middleware that validates');
    }
    // The last two middlewares validate. All others find out which operation it is, by matching every
    // path anew: they run once for each operation, and what they found serves all its exchanges.
    this.#findOperation = chain.slice(0, -2);
    this.#validateRequest = validateRequest;
    this.#validateResponse = validateResponse;
  }

  /** What the validator knows of the operation at this index of the slices. */
  async findOperation(index: number): Promise<KnownOperation> {
    const exchange = new ExchangeRequest(NO_HEADERS, undefined, undefined, slicePath(index));
    for (const middleware of this.#findOperation) {
      const error = await new Promise<Error | undefined>((resolve) => {
        run(middleware, exchange, {}, resolve);
      });
      if (error !== undefined) throw error;
    }
    if (exchange.openapi === undefined) {
      throw new Error('the validator did not recognise its own operation');
    }
    return exchange.openapi;
  }

  /** Resolves with the validator's error, if anything is wrong with any of the values. */
  validateRequests(
    operation: KnownOperation,
    headers: ExchangeHeaders,
    values: readonly unknown[],
  ): Promise<Error | undefined> {
    const exchange = new ExchangeRequest(headers, values, operation);
    return new Promise((resolve) => {
      run(this.#validateRequest, exchange, {}, resolve);
    });
  }

  /**
   * Resolves with what validates an operation's responses. The validator replaces `res.json` by a hook that
   * passes valid values on to the original and reports invalid ones, both synchronously; so one hook
   * serves every response.
   */
  async createResponseValidator(operation: KnownOperation): Promise<ValidateResponses> {
    let verdict: Error | undefined;
    const res = {
      headersSent: false,
      statusCode: 0,
      getHeaders: () => NO_HEADERS,
      json: (_values: readonly unknown[]): void => {
        verdict = undefined;
      },
    };
    const req = new ExchangeRequest(NO_HEADERS, undefined, operation);
    await new Promise<void>((resolve) => {
      run(this.#validateResponse, req, res, (error) => {
        verdict = error;
        resolve();
      });
    });
    if (verdict !== undefined) throw verdict;
    const hook = res.json;
    return (status, values) => {
      res.statusCode = status;
      verdict = NO_RESULT;
      hook.call(res, values);
      return Promise.resolve(verdict);
    };
  }
}

function createChain(slices: object): RequestHandler[] {
  return OpenApiValidator.middleware({
    // It is an OpenAPI document, but of our type, not the validator's.
    apiSpec: slices as Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'] & object,
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    formats: integerFormats,
    // The fast formats accept days that don't exist, against RFC 3339.
    ajvFormats: { mode: 'full' },
    // All errors, since only some of them may be due to rounding.
    validateRequests: { allErrors: true },
    validateResponses: { allErrors: true },
  }) as RequestHandler[];
}

/** Without a content type the validator takes the only one that a request or a response has. */
export type ExchangeHeaders = Readonly<Record<string, string | undefined>>;

/** What the validator reads of a live request: canonical values, never the bytes that came in. */
class ExchangeRequest {
  readonly method = SLICE_METHOD;
  readonly originalUrl: string;
  readonly url: string;
  readonly baseUrl = '';
  readonly app = EXCHANGE_APP;
  readonly query = {};
  readonly params = {};

  constructor(
    readonly headers: ExchangeHeaders,
    readonly body: unknown,
    /** Written by the validator where it isn't given. */
    readonly openapi: KnownOperation,
    /** Read only where the operation isn't given. */
    readonly path = '/',
  ) {
    this.originalUrl = path;
    this.url = path;
  }
}

const NO_HEADERS = {};
/** Made once, because to make an error takes as long as to validate a small response. */
const NO_RESULT = new Error('the validator reported no result');
const EXCHANGE_APP = { enabled: () => true, param: () => undefined };

function run(
  middleware: RequestHandler,
  req: object,
  res: object,
  next: (error?: Error) => void,
): void {
  // The middleware is typed for live requests, but reads only what the exchange has.
  void middleware(req as never, res as never, (error?: unknown) => {
    if (error === undefined || error instanceof Error) next(error);
    else next(new Error('the validator failed', { cause: error }));
  });
}
