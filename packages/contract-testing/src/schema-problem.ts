import type { ErrorObject } from 'ajv/dist/2020.js';
import { join } from './document.js';
import { writeJson } from './exact-json.js';
import { AT, EXACT } from './schemas.js';

/** Something that isn't what a schema says. */
export interface SchemaProblem {
  /** Where in the value. */
  readonly pointer: string;
  readonly expected: string;
  readonly received: unknown;
  /** The schema that says so, by its place in the contract, and which of its keywords. */
  readonly at: string;
  readonly keyword: string;
  /** The part of the value that the schema was held against. */
  readonly instance: string;
  /** The member that is missing, where that is the problem. */
  readonly missing: string | undefined;
}

/** What an error of Ajv says, whose option "verbose" is on. */
export function problemOf(error: ErrorObject): SchemaProblem {
  const { instancePath, keyword, message = keyword, params, data, parentSchema } = error;
  // With the option "verbose" an error has the schema that made it.
  const { [AT]: at = '', [EXACT]: format } = parentSchema as { [AT]?: string; [EXACT]?: string };
  const missing = keyword === 'required' ? String(params.missingProperty) : undefined;
  const { pointer, received } =
    missing === undefined
      ? { pointer: instancePath, received: data }
      : { pointer: join(instancePath, missing), received: undefined };
  const expected = {
    required: 'is required',
    'false schema': 'must not be there',
    [EXACT]: `must be an integer${format === 'integer' ? '' : ` of format ${String(format)}`}`,
    const: `must be ${writeJson(params.allowedValue)}`,
    enum: `must be one of ${writeJson(params.allowedValues)}`,
    additionalProperties: `must not have ${JSON.stringify(params.additionalProperty)}`,
    unevaluatedProperties: `must not have ${JSON.stringify(params.unevaluatedProperty)}`,
  }[keyword];
  return {
    pointer,
    expected: expected ?? message,
    received,
    at,
    keyword,
    instance: instancePath,
    missing,
  };
}
