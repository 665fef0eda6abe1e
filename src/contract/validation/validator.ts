import type { ContractDocument, ResponseObject } from '../document/document.js';
import type { RequestEnvelope, ResponseEnvelope } from './envelope.js';
import type { JsonValue } from '../json/json-value.js';
import { Judge, type KnownOperation } from './judge.js';
import type { Operation } from '../operation.js';
import { problemsOfEach, type Problem } from './problem.js';
import { sliceMediaType, sliceOperation, type OperationSlice } from './slice.js';
import { together } from './together.js';

/** Judges one operation's requests and responses, by express-openapi-validator alone. */
export interface OperationValidator {
  /**
   * What is wrong with a request; nothing where it is what the contract says. Writes the schema's
   * defaults into the envelope, whose integers are doubles; `exact` is the same with exact ones.
   */
  readonly validateRequest: (
    mediaType: string | undefined,
    envelope: RequestEnvelope,
    exact: JsonValue,
  ) => Promise<readonly Problem[]>;
  /** What is wrong with a response; nothing where it is what the contract says. */
  readonly validateResponse: (
    declared: ResponseObject,
    mediaType: string | undefined,
    envelope: ResponseEnvelope,
    exact: JsonValue,
  ) => Promise<readonly Problem[]>;
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

/** An envelope in doubles, and the same with exact integers. */
interface JudgedEnvelope {
  readonly envelope: unknown;
  readonly exact: JsonValue;
}

type Validate = (judged: JudgedEnvelope) => Promise<readonly Problem[]>;

async function createRequestValidator(
  judge: Judge,
  operation: KnownOperation,
  mediaTypes: readonly (string | undefined)[],
): Promise<OperationValidator['validateRequest']> {
  const validates = new Map<string | undefined, Validate>();
  for (const mediaType of mediaTypes) {
    const headers = { 'content-type': sliceMediaType(mediaTypes, mediaType) };
    const validate = createValidate((envelopes) =>
      judge.judgeRequests(operation, headers, envelopes),
    );
    validates.set(mediaType, await expectRefusal(validate));
  }
  return (mediaType, envelope, exact) => {
    const validate = validates.get(mediaType) ?? refuse;
    return validate({ envelope, exact });
  };
}

async function createResponseValidator(
  judge: Judge,
  operation: KnownOperation,
  statuses: OperationSlice['statuses'],
): Promise<OperationValidator['validateResponse']> {
  const judgeResponses = await judge.createResponseJudge(operation);
  const validates = new Map<ResponseObject, Map<string | undefined, Validate>>();
  for (const [declared, byMediaType] of statuses) {
    const ofDeclared = new Map<string | undefined, Validate>();
    for (const [mediaType, status] of byMediaType) {
      const validate = createValidate((envelopes) => judgeResponses(status, envelopes));
      ofDeclared.set(mediaType, await expectRefusal(validate));
    }
    validates.set(declared, ofDeclared);
  }
  return (declared, mediaType, envelope, exact) => {
    const validate = validates.get(declared)?.get(mediaType) ?? refuse;
    return validate({ envelope, exact });
  };
}

/** Has envelopes of one kind judged, those of one turn of the event loop together. */
function createValidate(
  judgeAll: (envelopes: readonly unknown[]) => Promise<Error | undefined>,
): Validate {
  return together(async (judged) => {
    const error = await judgeAll(judged.map(({ envelope }) => envelope));
    return problemsOfEach(error, judged);
  });
}

/** A judge that lets pass what is no envelope at all isn't one. It compiles when it is first used. */
async function expectRefusal(validate: Validate): Promise<Validate> {
  const problems = await validate({ envelope: undefined, exact: null });
  if (problems.length === 0) throw new Error('the validator does not refuse what is no envelope');
  return validate;
}

const refuse: Validate = () => Promise.resolve([{ pointer: '', message: 'is not declared' }]);
