import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Direction } from '../schema/direction.js';
import { SLICE_METHOD, slicePath } from './slice-document.js';

type Options = Parameters<typeof OpenApiValidator.middleware>[0];

/** Formats that the validator doesn't know, or judges otherwise, by name. */
export type Formats = NonNullable<Options['formats']>;

/** Resolves with the validator's error, if anything is wrong with any of the values. */
export type ValidateAll = (values: readonly unknown[]) => Promise<Error | undefined>;

/** What express-openapi-validator knows of one slice; every value that it validates carries it. */
type KnownOperation = unknown;

/** One instance of express-openapi-validator, for as many slices of one direction as its document has. */
export class ValidatorInstance {
  readonly #direction: Direction;
  readonly #findOperation: readonly RequestHandler[];
  readonly #validate: RequestHandler;
  readonly #validators = new Map<number, Promise<ValidateAll>>();

  /** @param slices a document of some slices */
  constructor(slices: object, direction: Direction, formats: Formats) {
    const chain = createChain(slices, direction, formats);
    const validate = chain.at(-1);
    if (validate === undefined) throw new Error('the validator has no middleware that validates');
    this.#direction = direction;
    // The last middleware validates. All others find out which operation it is, by matching every
    // path anew: they run once for each slice, and what they found serves all its messages.
    this.#findOperation = chain.slice(0, -1);
    this.#validate = validate;
  }

  /** What validates the messages of the slice at this index. */
  validatorOf(index: number): Promise<ValidateAll> {
    const validator = this.#validators.get(index) ?? this.#createValidator(index);
    this.#validators.set(index, validator);
    return validator;
  }

  async #createValidator(index: number): Promise<ValidateAll> {
    const operation = await this.#operationOf(index);
    return this.#direction === 'request'
      ? this.#createRequestValidator(operation)
      : this.#createResponseValidator(operation);
  }

  async #operationOf(index: number): Promise<KnownOperation> {
    const exchange = new Exchange(SLICE_METHOD, undefined, undefined, slicePath(index));
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

  #createRequestValidator(operation: KnownOperation): ValidateAll {
    return (values) => {
      const exchange = new Exchange(SHARING_METHOD, values, operation);
      return new Promise((resolve) => {
        run(this.#validate, exchange, {}, resolve);
      });
    };
  }

  /**
   * The validator replaces `res.json` by a hook that passes valid values on to the original and reports
   * invalid ones, both synchronously; so one hook serves every response.
   */
  async #createResponseValidator(operation: KnownOperation): Promise<ValidateAll> {
    let verdict: Error | undefined;
    const res = {
      headersSent: false,
      statusCode: 200,
      getHeaders: () => NO_HEADERS,
      json: (_values: readonly unknown[]): void => {
        verdict = undefined;
      },
    };
    const req = new Exchange(SHARING_METHOD, undefined, operation);
    await new Promise<void>((resolve) => {
      run(this.#validate, req, res, (error) => {
        verdict = error;
        resolve();
      });
    });
    if (verdict !== undefined) throw verdict;
    const hook = res.json;
    return (values) => {
      verdict = NO_RESULT;
      hook.call(res, values);
      return Promise.resolve(verdict);
    };
  }
}

function createChain(slices: object, direction: Direction, formats: Formats): RequestHandler[] {
  // A client is told all that is wrong, not only the first of it.
  const validated = { allErrors: true };
  return OpenApiValidator.middleware({
    // It is an OpenAPI document, but of our type, not the validator's.
    apiSpec: slices as Options['apiSpec'] & object,
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    formats,
    // The fast formats accept days that don't exist, against RFC 3339.
    ajvFormats: { mode: 'full' },
    validateRequests: direction === 'request' && validated,
    validateResponses: direction === 'response' && validated,
  }) as RequestHandler[];
}

/**
 * The validator names what it compiles by method and path, and a reference starts from the name of
 * the schema that it stands in (RFC 3986 §5). From a name that is a fragment, `#name` is the schema of
 * that name, compiled once for all that refer to it.
 */
const SHARING_METHOD = `#${SLICE_METHOD}`;

const NO_HEADERS = {};

/** What the validator reads of a live request: canonical values, never the bytes that came in. */
class Exchange {
  /** Without a content type the validator takes the only one that a request or a response has. */
  readonly headers = NO_HEADERS;
  readonly originalUrl: string;
  readonly url: string;
  readonly baseUrl = '';
  readonly app = EXCHANGE_APP;
  readonly query = {};
  readonly params = {};

  constructor(
    readonly method: string,
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
