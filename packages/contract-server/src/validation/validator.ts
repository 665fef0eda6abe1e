import type { ContractDocument, ResponseObject } from '../document/document.js';
import type { RequestEnvelope, ResponseEnvelope } from './envelope.js';
import type { JsonValue } from '../json/json-value.js';
import { Judge, type KnownOperation } from './judge.js';
import type { Operation } from '../operation/operation.js';
import { problemsOfEach, type Problem } from './problem.js';
import { sliceMediaType, sliceOperation, type OperationSlice } from './slice.js';
import { together, type Ask, type Asker } from './together.js';

/** Judges one operation's requests and responses, by express-openapi-validator alone. */
export interface OperationValidator {
  /** Says what is wrong with a request. Writes the schema's defaults into its envelope. */
  readonly validateRequest: (
    mediaType: string | undefined,
    request: Judged<RequestEnvelope>,
    asker: Asker<readonly Problem[]>,
  ) => void;
  /** Says what is wrong with a response. */
  readonly validateResponse: (
    declared: ResponseObject,
    mediaType: string | undefined,
    response: Judged<ResponseEnvelope>,
    asker: Asker<readonly Problem[]>,
  ) => void;
}

/** What is judged: an envelope whose integers are doubles, and the same with exact ones. */
export interface Judged<Envelope = unknown> {
  readonly envelope: Envelope;
  readonly exact: JsonValue;
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

/** There are no problems where it is what the contract says. */
type Validate = Ask<Judged, readonly Problem[]>;

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
  return (mediaType, request, asker) => {
    const validate = validates.get(mediaType) ?? refuse;
    validate(request, asker);
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
  return (declared, mediaType, response, asker) => {
    const validate = validates.get(declared)?.get(mediaType) ?? refuse;
    validate(response, asker);
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
  const problems = await new Promise<readonly Problem[]>((use, fail) => {
    validate({ envelope: undefined, exact: null }, { use, fail });
  });
  if (problems.length === 0) throw new Error('the validator does not refuse what is no envelope');
  return validate;
}

const refuse: Validate = (_judged, { use }) => {
  use([{ pointer: '', message: 'is not declared' }]);
};
