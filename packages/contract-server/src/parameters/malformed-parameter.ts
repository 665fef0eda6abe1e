import { ApiError, EngineCode } from '../api-error.js';
import { excerpt } from '../excerpt.js';
import type { Parameter } from '../operation/operation.js';
import { pointer } from '../json/pointer.js';

/** A text is not one that the parameter's style can have. Says what is wrong; not yet of which one. */
export class MalformedParameterError extends Error {
  override readonly name = 'MalformedParameterError';
}

/**
 * What `read` returns.
 * @throws ApiError 40004 that names the parameter, where `read` finds it malformed
 */
export function readAs<Value>({ in: location, name }: ParameterName, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedParameterError)) throw error;
    throw new ApiError(
      EngineCode.malformedParameter,
      `${location} ${excerpt(pointer([name]))}: ${error.message}`,
      {},
      { cause: error },
    );
  }
}

type ParameterName = Pick<Parameter, 'in' | 'name'>;
