import { ApiError, EngineCode } from '../exchange/api-error.js';
import { excerpt } from '../json/excerpt.js';
import { pointer } from '../json/pointer.js';
import type { Field } from '../operation/operation.js';

/** A text doesn't follow its parameter's style. The message says what is wrong, without the name. */
export class MalformedParameterError extends Error {
  override readonly name = 'MalformedParameterError';
}

/**
 * Returns what `read` returns.
 * @throws ApiError 40004 that names the parameter or field, where `read` finds it malformed
 */
export function readAs<Value>({ in: location, name }: FieldName, read: () => Value): Value {
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

type FieldName = Pick<Field, 'in' | 'name'>;
