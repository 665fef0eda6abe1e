import { ApiError, EngineCode, type Problem } from '../exchange/api-error.js';
import { excerpt } from '../json/excerpt.js';
import { findPointer } from '../json/pointer.js';
import { MULTIPLE_MESSAGE } from '../schema/multiples.js';

export type { Problem };

const MAX_PROBLEMS = 20;

/** What would be right, where the validator's own words don't say it. */
const MESSAGES: Readonly<Record<string, string>> = {
  'must NOT have additional properties': 'is not one of those that the contract names',
  'must match format "int64"': 'must be from -9223372036854775808 to 9223372036854775807',
  'must match format "int32"': 'must be from -2147483648 to 2147483647',
};

/**
 * The problems of each value of a batch that an error of express-openapi-validator names.
 * @param spell a message with the contract's own literals in it
 * @throws the error where it is of another kind, or tells of something that isn't one of the values
 */
export function problemsOfEach(
  error: Error | undefined,
  batch: readonly { readonly value: unknown }[],
  spell: (message: string) => string,
): (readonly Problem[])[] {
  if (error === undefined) return batch.map(() => NO_PROBLEMS);
  if (!hasErrors(error)) throw error;
  const each = batch.map(({ value }) => ({ value, errors: [] as PlacedError[] }));
  for (const { path, message, errorCode } of error.errors) {
    const [, index, pointer = ''] = IN_LIST.exec(path) ?? [];
    // The validator gives no place for a member whose name is empty. In a batch of one it is clear.
    const found = index === undefined && each.length > 1 ? undefined : each[Number(index ?? 0)];
    if (found === undefined) throw error;
    found.errors.push({ pointer, message: spell(message), errorCode });
  }
  return each.map(({ value, errors }) => problemsOf(errors, value));
}

function problemsOf(errors: readonly PlacedError[], value: unknown): Problem[] {
  // The branch that "if" has chosen says what is wrong; "if" itself only repeats it.
  const telling = errors.filter(({ errorCode }) => errorCode !== 'if.openapi.validation');
  // An error that no other keyword explains is reported all the same.
  return (telling.length > 0 ? telling : errors).map(({ pointer, message, errorCode }) => ({
    // The validator gives no place for a member whose name is empty.
    pointer: pointer === '' ? findEmptyName(value) : pointer,
    ...described(message, errorCode?.replace(/\..*/, '')),
  }));
}

function described(message: string, keyword: string | undefined): Omit<Problem, 'pointer'> {
  if (keyword === 'required') return { keyword, message: 'is required' };
  const [, factor] = MULTIPLE_MESSAGE.exec(message) ?? [];
  return factor === undefined
    ? { keyword, message: MESSAGES[message] ?? message }
    : { keyword: 'multipleOf', message: `must be multiple of ${factor}` };
}

/** A pointer to the first member whose name is empty; where there is none, the body lacks it. */
function findEmptyName(value: unknown): string {
  return `${findPointer(value, (part) => Object.hasOwn(part, '')) ?? '/body'}/`;
}

/** As {@link EngineCode.schemaViolation}, of a service that answers a violation with 422. */
const UNPROCESSABLE = 42202;

/** What a client is told of a request's problems. */
export function schemaViolation(problems: readonly Problem[], status: 400 | 422 = 400): ApiError {
  const code = status === 422 ? UNPROCESSABLE : EngineCode.schemaViolation;
  return new ApiError(code, describeProblems(problems), {}, { problems });
}

/** One line that names every problem, up to a sensible number. */
function describeProblems(problems: readonly Problem[]): string {
  const lines = new Set(
    problems.map(({ pointer, message }) => `${readablePointer(pointer)}: ${message}`),
  );
  const shown = [...lines].slice(0, MAX_PROBLEMS);
  if (lines.size > shown.length) shown.push(`and ${lines.size - shown.length} more`);
  return shown.join('; ');
}

/** `/body/id` is the member `/id` of the body. */
function readablePointer(pointer: string): string {
  const [, part = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? [];
  return `${part} ${excerpt(rest)}`.trim();
}

/** An error's place in the batch, then in its value. */
const IN_LIST = /^\/(?:body|response)\/(\d+)(.*)$/s;

const NO_PROBLEMS: readonly Problem[] = [];

interface PlacedError extends Problem {
  readonly errorCode: string | undefined;
}

interface ValidatorError extends Error {
  readonly errors: readonly { path: string; message: string; errorCode?: string }[];
}

function hasErrors(error: Error): error is ValidatorError {
  return 'errors' in error && Array.isArray(error.errors);
}
