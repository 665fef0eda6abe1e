import type { ContractDocument, ResponseObject } from '../document/document.js';
import { longTurn } from '../exchange/long-turn.js';
import type { ExactIntegers } from '../json/exact-integers.js';
import type { RequestValue, ResponseValue } from '../operation/message-schema.js';
import type { Operation } from '../operation/operation.js';
import { createBatch } from './batch.js';
import { ValidatorInstances, type SliceValidator } from './instances.js';
import { problemsOfEach, type Problem } from './problem.js';
import { slicesIn, sliceOperation, type Slice } from './slice.js';

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
 * Builds the validators of these operations, each when it is asked for, which takes some ten
 * milliseconds. Resolves once the components that most of a large contract's operations reach are
 * compiled; and for a warm-up, once nothing is left but to compile slice by slice.
 */
export async function createValidatorLookup(
  document: ContractDocument,
  operations: readonly Operation[],
  isWarmUp = false,
): Promise<ValidatorLookup> {
  const slices = operations.flatMap((operation) => slicesIn(sliceOperation(document, operation)));
  const instances = new ValidatorInstances(document, new Set(slices));
  await instances.prepare(isWarmUp ? 'all' : 'shared');
  const build = async (slice: Slice): Promise<Validate> => {
    await longTurn();
    const validator = await instances.validatorOf(slice);
    return expectRefusal(createValidate(validator));
  };
  return async (operation) => {
    const slices = sliceOperation(document, operation);
    const requests = await mapAsync(slices.requests, build);
    const responses = await mapAsync(slices.responses, (byMediaType) =>
      mapAsync(byMediaType, build),
    );
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

/** Resolves with the validator of an operation, which it builds. */
export type ValidatorLookup = (operation: Operation) => Promise<OperationValidator>;

/** Resolves with no problems where the value is what the contract says. */
type Validate = (validated: Validated) => Promise<readonly Problem[]>;

/** The map with its values replaced by what they resolve to, one after the other. */
async function mapAsync<Key, Value, Mapped>(
  values: ReadonlyMap<Key, Value>,
  map: (value: Value) => Promise<Mapped>,
): Promise<ReadonlyMap<Key, Mapped>> {
  const mapped = new Map<Key, Mapped>();
  for (const [key, value] of values) mapped.set(key, await map(value));
  return mapped;
}

/** The validator costs more per call than per value, so values of one kind are validated in batches. */
function createValidate({ validateAll, standIns }: SliceValidator): Validate {
  return createBatch(async (batch) => {
    const error =
      standIns === undefined
        ? await validateAll(batch.map(({ value }) => value))
        : await standIns.judge(batch, validateAll);
    return problemsOfEach(error, batch, (message) => standIns?.spell(message) ?? message);
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
