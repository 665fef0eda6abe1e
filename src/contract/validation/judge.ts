import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { integerFormats } from './integers.js';
import { joinSlices, SLICE_METHOD, slicePath, type OperationSlice } from './slice.js';

/** What express-openapi-validator knows of one operation, which an exchange of it must carry. */
export type KnownOperation = unknown;

/** One instance of express-openapi-validator, for as many operations as have slices. */
export class Judge {
  readonly #findOperation: readonly RequestHandler[];
  readonly #judgeRequest: RequestHandler;
  readonly #judgeResponse: RequestHandler;

  constructor(slices: readonly OperationSlice[]) {
    const chain = createChain(joinSlices(slices));
    const [judgeRequest, judgeResponse] = chain.slice(-2);
    if (judgeRequest === undefined || judgeResponse === undefined) {
      throw new Error('the validator has no middleware that judges');
    }
    // The last two middlewares judge. All others find out which operation it is, by matching every
    // path anew: they run once for each operation, and what they found serves all its exchanges.
    this.#findOperation = chain.slice(0, -2);
    this.#judgeRequest = judgeRequest;
    this.#judgeResponse = judgeResponse;
  }

  /** What it knows of the operation that stands at this place among the slices. */
  async findOperation(index: number): Promise<KnownOperation> {
    const exchange = new ExchangeRequest({}, undefined, undefined, slicePath(index));
    for (const middleware of this.#findOperation) {
      await new Promise<void>((resolve, reject) => {
        run(middleware, exchange, {}, (error) => {
          if (error === undefined) resolve();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handed on as it is
          else reject(error);
        });
      });
    }
    if (exchange.openapi === undefined) {
      throw new Error('the validator did not recognise its own operation');
    }
    return exchange.openapi;
  }

  /** Calls back with what is wrong, if anything is. */
  judgeRequest(
    operation: KnownOperation,
    headers: ExchangeHeaders,
    envelope: unknown,
    onVerdict: (error?: unknown) => void,
  ): void {
    run(this.#judgeRequest, new ExchangeRequest(headers, envelope, operation), {}, onVerdict);
  }

  /**
   * Replaces `res.json` by a hook that judges: what is right it hands to the one that was there, and
   * what is wrong it reports. It serves every response, since it does either at once.
   */
  hookResponse(
    operation: KnownOperation,
    res: ExchangeResponse,
    onRefusal: (error: unknown) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let isHooked = false;
      run(this.#judgeResponse, new ExchangeRequest({}, undefined, operation), res, (error) => {
        if (isHooked) onRefusal(error);
        else if (error === undefined) resolve();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handed on as it is
        else reject(error);
        isHooked = true;
      });
    });
  }
}

function createChain(slice: object): RequestHandler[] {
  return OpenApiValidator.middleware({
    // A slice is an OpenAPI document; its type is ours, not the validator's.
    apiSpec: slice as Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'] & object,
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    formats: integerFormats,
    // RFC 3339 wants days that exist, and the fast formats don't look.
    ajvFormats: { mode: 'full' },
    // All, since some may be due to rounding and others not.
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

/** What the validator reads of a live response. */
export interface ExchangeResponse {
  readonly headersSent: boolean;
  readonly statusCode: number;
  readonly getHeaders: () => Readonly<Record<string, string>>;
  json: (envelope: unknown) => void;
}

const EXCHANGE_APP = { enabled: () => true, param: () => undefined };

function run(
  middleware: RequestHandler,
  req: object,
  res: object,
  next: (error?: unknown) => void,
): void {
  // The middleware is typed for live requests, but reads only what the exchange has.
  void middleware(req as never, res as never, next);
}
