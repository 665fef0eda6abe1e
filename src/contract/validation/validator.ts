import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { ApiError, EngineCode } from '../api-error.js';
import type { ContractDocument } from '../document/document.js';
import type { RequestEnvelope, ResponseEnvelope } from './envelope.js';
import { integerFormats } from './integers.js';
import type { Operation } from '../operation.js';
import { describeProblems, problemsOf, type Problem } from './problem.js';
import { SLICE_METHOD, SLICE_PATH, sliceMediaType, sliceOperation, sliceStatus } from './slice.js';

/** Judges one operation's requests and responses, by express-openapi-validator alone. */
export interface OperationValidator {
  /**
   * Writes the schema's defaults into the envelope.
   * @throws ApiError 40002 that names every problem
   */
  readonly validateRequest: (
    mediaType: string | undefined,
    envelope: RequestEnvelope,
  ) => Promise<void>;
  /** What is wrong with a response; nothing where it is what the contract says. */
  readonly validateResponse: (
    status: number,
    mediaType: string | undefined,
    envelope: ResponseEnvelope,
  ) => Problem[];
}

/** Builds the validator of one operation: takes some ten milliseconds, compiles every schema. */
export async function createValidator(
  document: ContractDocument,
  operation: Operation,
): Promise<OperationValidator> {
  const { slice, mediaTypes } = sliceOperation(document, operation);
  const chain = createChain(slice);
  // All but the last two middlewares find out which operation it is, and there is only one: they run
  // once, and what they found serves every exchange. The last two judge.
  const [judgeRequest, judgeResponse] = chain.slice(-2);
  const openapi = await findOperation(chain.slice(0, -2));
  if (judgeRequest === undefined || judgeResponse === undefined || openapi === undefined) {
    throw new Error('the validator did not recognise its own operation');
  }
  return {
    validateRequest: await createRequestValidator(judgeRequest, openapi, mediaTypes),
    validateResponse: await createResponseValidator(judgeResponse, openapi),
  };
}

async function createRequestValidator(
  judge: RequestHandler,
  openapi: unknown,
  mediaTypes: readonly (string | undefined)[],
): Promise<OperationValidator['validateRequest']> {
  const validateRequest: OperationValidator['validateRequest'] = (mediaType, envelope) =>
    new Promise((resolve, reject) => {
      run(judge, new ExchangeRequest(headersFor(mediaType), envelope, openapi), {}, (error) => {
        if (error === undefined) resolve();
        else reject(toRefusal(error));
      });
    });
  for (const mediaType of mediaTypes) await expectRefusal(validateRequest, mediaType);
  return validateRequest;
}

/** What the validator's first middleware say of the one operation that it knows. */
async function findOperation(chain: readonly RequestHandler[]): Promise<unknown> {
  const req = new ExchangeRequest(headersFor(undefined), undefined, undefined);
  await runChain(chain, req, {});
  return req.openapi;
}

/** A judge that lets pass what is no request at all isn't one. */
async function expectRefusal(
  validate: OperationValidator['validateRequest'],
  mediaType: string | undefined,
): Promise<void> {
  const nothing: unknown = undefined;
  const refusal = await validate(mediaType, nothing as RequestEnvelope).catch(
    (error: unknown) => error,
  );
  if (!(refusal instanceof ApiError)) {
    throw new Error('the validator does not refuse what is no request', { cause: refusal });
  }
}

function toRefusal(error: unknown): Error {
  const problems = problemsOf(error);
  if (problems === undefined) return error instanceof Error ? error : new Error(String(error));
  return new ApiError(EngineCode.schemaViolation, describeProblems(problems), {}, { cause: error });
}

async function createResponseValidator(
  judge: RequestHandler,
  openapi: unknown,
): Promise<OperationValidator['validateResponse']> {
  let contentType = '';
  let accepted = 0;
  let refusal: unknown;
  const res = {
    headersSent: false,
    statusCode: 0,
    getHeaders: () => ({ 'content-type': contentType }),
    json: (_envelope: unknown): void => {
      accepted++;
    },
  };
  // The middleware replaces res.json by a hook that validates. One hook, hung once, serves every
  // response: it is synchronous, and reports a refusal to the `next` of the run that hung it.
  await runChain([judge], new ExchangeRequest({}, undefined, openapi), res, (error) => {
    refusal = error;
  });
  const hook = res.json;
  // It compiles when it is first used. What it makes of no response at all is a refusal.
  hook.call(res, undefined);
  if (problemsOf(refusal) === undefined) {
    throw new Error('the validator does not refuse what is no response', { cause: refusal });
  }
  return (status, mediaType, envelope) => {
    res.statusCode = Number(sliceStatus(String(status)));
    contentType = sliceMediaType(mediaType);
    refusal = undefined;
    const acceptedBefore = accepted;
    hook.call(res, envelope);
    if (accepted > acceptedBefore) return [];
    return problemsOf(refusal) ?? [{ pointer: '', message: String(refusal) }];
  };
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
    validateRequests: { allErrors: true },
    validateResponses: true,
  }) as RequestHandler[];
}

/** What the validator reads of a live request: canonical values, never the bytes that came in. */
class ExchangeRequest {
  readonly method = SLICE_METHOD;
  readonly originalUrl = SLICE_PATH;
  readonly url = SLICE_PATH;
  readonly path = SLICE_PATH;
  readonly baseUrl = '';
  readonly app = EXCHANGE_APP;
  readonly query = {};
  readonly params = {};

  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly body: unknown,
    /** Written by the validator where it isn't given. */
    readonly openapi: unknown,
  ) {}
}

function headersFor(mediaType: string | undefined): Record<string, string> {
  return { 'content-type': sliceMediaType(mediaType) };
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

/** Runs the middleware one after the other; `onLater` gets what one reports after it has passed. */
async function runChain(
  chain: readonly RequestHandler[],
  req: object,
  res: object,
  onLater?: (error: unknown) => void,
): Promise<void> {
  for (const middleware of chain) {
    await new Promise<void>((resolve, reject) => {
      let isDone = false;
      run(middleware, req, res, (error) => {
        if (isDone) onLater?.(error);
        else if (error === undefined) resolve();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handed on as it is
        else reject(error);
        isDone = true;
      });
    });
  }
}
