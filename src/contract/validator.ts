import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { ApiError, EngineCode } from './api-error.js';
import type { ContractDocument } from './document.js';
import type { RequestEnvelope, ResponseEnvelope } from './envelope.js';
import { integerFormats } from './integers.js';
import type { Operation } from './operation.js';
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

/** Builds the validator of one operation. Takes some milliseconds: it compiles the schemas. */
export async function createValidator(
  document: ContractDocument,
  operation: Operation,
): Promise<OperationValidator> {
  const slice = sliceOperation(document, operation);
  return {
    validateRequest: await createRequestValidator(slice),
    validateResponse: await createResponseValidator(slice),
  };
}

async function createRequestValidator(
  slice: object,
): Promise<OperationValidator['validateRequest']> {
  const chain = createChain(slice, {
    validateRequests: { allErrors: true },
    validateResponses: false,
  });
  // All but the last middleware find out which operation it is, and there is only one: they run once,
  // and what they found serves every request. The last one judges.
  const judge = chain.slice(-1);
  const { openapi } = await findOperation(chain);

  const validateRequest: OperationValidator['validateRequest'] = async (mediaType, envelope) => {
    try {
      await runChain(judge, { ...exchangeRequest(mediaType, envelope), openapi }, {});
    } catch (error) {
      const problems = problemsOf(error);
      if (problems === undefined) throw error;
      throw new ApiError(
        EngineCode.schemaViolation,
        describeProblems(problems),
        {},
        { cause: error },
      );
    }
  };
  await expectRefusal(validateRequest);
  return validateRequest;
}

async function findOperation(chain: readonly RequestHandler[]): Promise<{ openapi: unknown }> {
  const req = exchangeRequest(undefined, undefined);
  // That it refuses this request, which is none, is not the question here.
  await runChain(chain, req, {}).catch(() => undefined);
  if (!('openapi' in req)) throw new Error('the validator did not recognise its own operation');
  return { openapi: req.openapi };
}

/** A judge that lets pass what is no request at all isn't one. */
async function expectRefusal(validate: OperationValidator['validateRequest']): Promise<void> {
  const nothing: unknown = undefined;
  const refusal = await validate(undefined, nothing as RequestEnvelope).catch(
    (error: unknown) => error,
  );
  if (!(refusal instanceof ApiError))
    throw new Error('the validator does not refuse what is no request');
}

async function createResponseValidator(
  slice: object,
): Promise<OperationValidator['validateResponse']> {
  const chain = createChain(slice, { validateRequests: false, validateResponses: true });
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
  await runChain(chain, { ...EXCHANGE_REQUEST, headers: {} }, res, (error) => {
    refusal = error;
  });
  const hook = res.json;
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

type ChainOptions = Pick<
  Parameters<typeof OpenApiValidator.middleware>[0],
  'validateRequests' | 'validateResponses'
>;

function createChain(slice: object, options: ChainOptions): RequestHandler[] {
  return OpenApiValidator.middleware({
    // A slice is an OpenAPI document; its type is ours, not the validator's.
    apiSpec: slice as Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'] & object,
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    formats: integerFormats,
    ...options,
  }) as RequestHandler[];
}

/** What the validator reads of a live request that is the same for all. */
const EXCHANGE_REQUEST = {
  method: SLICE_METHOD,
  originalUrl: SLICE_PATH,
  url: SLICE_PATH,
  path: SLICE_PATH,
  baseUrl: '',
  app: { enabled: () => true, param: () => undefined },
};

/** A request as the validator sees it: canonical values, never the bytes that came in. */
function exchangeRequest(mediaType: string | undefined, body: unknown) {
  return {
    ...EXCHANGE_REQUEST,
    query: {},
    headers: { 'content-type': sliceMediaType(mediaType) },
    params: {},
    body,
  };
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
      const next = (error?: unknown): void => {
        if (isDone) onLater?.(error);
        else if (error === undefined) resolve();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handed on as it is
        else reject(error);
        isDone = true;
      };
      // The middleware is typed for live requests, but reads only what the exchange has.
      void middleware(req as never, res as never, next);
    });
  }
}
