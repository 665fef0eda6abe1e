import { ApiError, EngineCode } from '../../exchange/api-error.js';

/** A body isn't the form that its media type says. */
export function malformedForm(message: string): ApiError {
  return new ApiError(
    EngineCode.malformedJson,
    `the body is not valid multipart/form-data: ${message}`,
  );
}
