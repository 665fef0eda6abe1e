import { ApiError, EngineCode } from '../api-error.js';
import type { ContractDocument, ResponseObject } from '../document/document.js';
import type { RequestEnvelope, ResponseEnvelope } from './envelope.js';
import type { JsonValue } from '../json/json-value.js';
import { Judge, type KnownOperation } from './judge.js';
import type { Operation } from '../operation.js';
import { describeProblems, problemsOf, type Problem } from './problem.js';
import { sliceMediaType, sliceOperation, type OperationSlice } from './slice.js';

/** Judges one operation's requests and responses, by express-openapi-validator alone. */
export interface OperationValidator {
  /**
   * Writes the schema's defaults into the envelope, whose integers are doubles; `exact` is the same
   * envelope with exact ones.
   * @throws ApiError 40002 that names every problem
   */
  readonly validateRequest: (
    mediaType: string | undefined,
    envelope: RequestEnvelope,
    exact: JsonValue,
  ) => Promise<void>;
  /** What is wrong with a response; nothing where it is what the contract says. */
  readonly validateResponse: (
    declared: ResponseObject,
    mediaType: string | undefined,
    envelope: ResponseEnvelope,
    exact: JsonValue,
  ) => Problem[];
}

/**
 * How many operations share an instance of express-openapi-validator. Of an instance's own it takes
 * some 26 ms and 115 KB; but every schema that it compiles, it looks for in all of its slices.
 */
const OPERATIONS_PER_JUDGE = 8;

/**
 * Builds the validators of these operations, each when it is asked for: takes some ten milliseconds,
 * compiles every schema of the operation.
 */
export function createValidatorLookup(
  document: ContractDocument,
  operations: readonly Operation[],
): (operation: Operation) => Promise<OperationValidator> {
  const judges = new Map<number, Judge>();
  return async (operation) => {
    const place = operations.indexOf(operation);
    const index = place % OPERATIONS_PER_JUDGE;
    const from = place - index;
    const neighbours = operations.slice(from, from + OPERATIONS_PER_JUDGE);
    const judge =
      judges.get(from) ?? new Judge(neighbours.map((each) => sliceOperation(document, each)));
    judges.set(from, judge);
    const known = await judge.findOperation(index);
    const { mediaTypes, statuses } = sliceOperation(document, operation);
    return {
      validateRequest: await createRequestValidator(judge, known, mediaTypes),
      validateResponse: await createResponseValidator(judge, known, statuses),
    };
  };
}

async function createRequestValidator(
  judge: Judge,
  operation: KnownOperation,
  mediaTypes: readonly (string | undefined)[],
): Promise<OperationValidator['validateRequest']> {
  const headersOf = new Map(
    mediaTypes.map((mediaType) => [
      mediaType,
      { 'content-type': sliceMediaType(mediaTypes, mediaType) },
    ]),
  );
  const validateRequest: OperationValidator['validateRequest'] = (mediaType, envelope, exact) =>
    new Promise((resolve, reject) => {
      const headers = headersOf.get(mediaType) ?? NO_HEADERS;
      judge.judgeRequest(operation, headers, envelope, (error) => {
        const problems = error === undefined ? [] : problemsOf(error, exact);
        if (problems?.length === 0) resolve();
        else reject(toRefusal(error, problems));
      });
    });
  for (const mediaType of mediaTypes) await expectRefusal(validateRequest, mediaType);
  return validateRequest;
}

/** A judge that lets pass what is no request at all isn't one. */
async function expectRefusal(
  validate: OperationValidator['validateRequest'],
  mediaType: string | undefined,
): Promise<void> {
  const nothing: unknown = undefined;
  const refusal = await validate(mediaType, nothing as RequestEnvelope, null).catch(
    (error: unknown) => error,
  );
  if (!(refusal instanceof ApiError)) {
    throw new Error('the validator does not refuse what is no request', { cause: refusal });
  }
}

function toRefusal(error: unknown, problems: readonly Problem[] | undefined): Error {
  if (problems === undefined) return error instanceof Error ? error : new Error(String(error));
  return new ApiError(EngineCode.schemaViolation, describeProblems(problems), {}, { cause: error });
}

async function createResponseValidator(
  judge: Judge,
  operation: KnownOperation,
  statuses: OperationSlice['statuses'],
): Promise<OperationValidator['validateResponse']> {
  let accepted = 0;
  let refusal: unknown;
  const res = {
    headersSent: false,
    statusCode: 0,
    getHeaders: () => NO_HEADERS,
    json: (_envelope: unknown): void => {
      accepted++;
    },
  };
  await judge.hookResponse(operation, res, (error) => {
    refusal = error;
  });
  const hook = res.json;
  // It compiles when it is first used. What it makes of no response at all is a refusal.
  hook.call(res, undefined);
  if (problemsOf(refusal) === undefined) {
    throw new Error('the validator does not refuse what is no response', { cause: refusal });
  }
  return (declared, mediaType, envelope, exact) => {
    const status = statuses.get(declared)?.get(mediaType);
    if (status === undefined) return [{ pointer: '', message: 'is not declared' }];
    res.statusCode = status;
    refusal = undefined;
    const acceptedBefore = accepted;
    hook.call(res, envelope);
    if (accepted > acceptedBefore) return [];
    return problemsOf(refusal, exact) ?? [{ pointer: '', message: String(refusal) }];
  };
}

/** See {@link ExchangeHeaders}. */
const NO_HEADERS = {};
