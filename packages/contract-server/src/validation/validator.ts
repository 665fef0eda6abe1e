import type { ContractDocument, ResponseObject } from '../document/document.js';
import type { ExactIntegers } from '../json/exact-integers.js';
import type { RequestValue, ResponseValue } from '../operation/message-schema.js';
import type { Operation } from '../operation/operation.js';
import { createBatch } from './batch.js';
import { ValidatorInstance, type KnownOperation } from './instance.js';
import { problemsOfEach, type Problem } from './problem.js';
import { joinSlices, sliceMediaType, sliceOperation, type OperationSlice } from './slice.js';

/** A request or a response, as one value. */
export interface Validated<Value = unknown> {
  readonly value: Value;
  readonly integers: ExactIntegers;
}

export interface ValidatedRequest extends Validated<RequestValue> {
  readonly mediaType: string | undefined;
}

export interface ValidatedResponse extends Validated<ResponseValue> {
  readonly declared: ResponseObject;
  readonly mediaType: string | undefined;
}

/** Validates one operation's requests and responses, by express-openapi-validator alone. */
export interface OperationValidator {
  /** Resolves with what is wrong with a request. Writes the schema's defaults into its value. */
  validateRequest(request: ValidatedRequest): Promise<readonly Problem[]>;
  /** Resolves with what is wrong with a response. */
  validateResponse(response: ValidatedResponse): Promise<readonly Problem[]>;
}

/**
 * How many operations share an instance of express-openapi-validator. An instance takes some 26 ms and
 * 115 KB of its own; but it looks for every schema that it compiles in all of its slices.
 */
const OPERATIONS_PER_INSTANCE = 8;

/**
 * Builds the validators of these operations, each when it is asked for. That takes some ten
 * milliseconds, and compiles every schema of the operation.
 */
export function createValidatorLookup(
  document: ContractDocument,
  operations: readonly Operation[],
): (operation: Operation) => Promise<OperationValidator> {
  const instances = new Map<number, ValidatorInstance>();
  return async (operation) => {
    const place = operations.indexOf(operation);
    const index = place % OPERATIONS_PER_INSTANCE;
    const from = place - index;
    const neighbours = operations.slice(from, from + OPERATIONS_PER_INSTANCE);
    const instance =
      instances.get(from) ??
      new ValidatorInstance(
        joinSlices(
          document,
          neighbours.map((each) => sliceOperation(document, each)),
        ),
      );
    instances.set(from, instance);
    const known = await instance.findOperation(index);
    const { mediaTypes, statuses } = sliceOperation(document, operation);
    const requests = await createRequestValidators(instance, known, mediaTypes);
    const responses = await createResponseValidators(instance, known, statuses);
    return {
      validateRequest(request) {
        const validate = requests.get(request.mediaType) ?? refuse;
        return validate(request);
      },
      validateResponse(response) {
        const validate = responses.get(response.declared)?.get(response.mediaType) ?? refuse;
        return validate(response);
      },
    };
  };
}

/** Resolves with no problems where the value is what the contract says. */
type Validate = (validated: Validated) => Promise<readonly Problem[]>;

/** By the media type of the request's body. */
async function createRequestValidators(
  instance: ValidatorInstance,
  operation: KnownOperation,
  mediaTypes: readonly (string | undefined)[],
): Promise<ReadonlyMap<string | undefined, Validate>> {
  const validators = new Map<string | undefined, Validate>();
  for (const mediaType of mediaTypes) {
    const headers = { 'content-type': sliceMediaType(mediaTypes, mediaType) };
    const validate = createValidate((values) =>
      instance.validateRequests(operation, headers, values),
    );
    validators.set(mediaType, await expectRefusal(validate));
  }
  return validators;
}

/** By the declared response and the media type of its body. */
async function createResponseValidators(
  instance: ValidatorInstance,
  operation: KnownOperation,
  statuses: OperationSlice['statuses'],
): Promise<ReadonlyMap<ResponseObject, ReadonlyMap<string | undefined, Validate>>> {
  const validateResponses = await instance.createResponseValidator(operation);
  const validators = new Map<ResponseObject, Map<string | undefined, Validate>>();
  for (const [declared, byMediaType] of statuses) {
    const ofDeclared = new Map<string | undefined, Validate>();
    for (const [mediaType, status] of byMediaType) {
      const validate = createValidate((values) => validateResponses(status, values));
      ofDeclared.set(mediaType, await expectRefusal(validate));
    }
    validators.set(declared, ofDeclared);
  }
  return validators;
}

/** The validator costs more per call than per value, so values of one kind are validated in batches. */
function createValidate(
  validateAll: (values: readonly unknown[]) => Promise<Error | undefined>,
): Validate {
  return createBatch(async (batch) => {
    const error = await validateAll(batch.map(({ value }) => value));
    return problemsOfEach(error, batch);
  });
}

/** Compiles the schema by a first value, `undefined`, which is no message: throws if it is accepted. */
async function expectRefusal(validate: Validate): Promise<Validate> {
  const problems = await validate({ value: undefined, integers: undefined });
  if (problems.length === 0) throw new Error('the validator accepts undefined as a message');
  return validate;
}

/** Refuses every message with a media type, or a response, that the contract doesn't declare. */
const refuse: Validate = () => Promise.resolve([{ pointer: '', message: 'is not declared' }]);
