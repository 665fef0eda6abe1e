import type { JsonValue } from '../json/json-value.js';
import { hasUniqueItems } from './unique-items.js';

/** One thing that is wrong with a request or a response. */
export interface Problem {
  /** Where: a JSON Pointer into the envelope, such as `/body/id`. */
  readonly pointer: string;
  readonly message: string;
}

const MAX_PROBLEMS = 20;
const MAX_POINTER_LENGTH = 200;

/** What would be right, where the validator's own words don't say it. */
const MESSAGES: Readonly<Record<string, string>> = {
  'must NOT have additional properties': 'is not one of those that the contract names',
  'must match format "int64"': 'must be from -9223372036854775808 to 9223372036854775807',
  'must match format "int32"': 'must be from -2147483648 to 2147483647',
};

/**
 * The problems that an error of express-openapi-validator names; undefined for any other error. None
 * are left where items are the same only as the doubles that it judged, and not in the exact value.
 */
export function problemsOf(error: unknown, exact?: JsonValue): Problem[] | undefined {
  if (!hasErrors(error)) return undefined;
  // What "if" has to say is said by the branch that it chose.
  const telling = error.errors.filter(({ errorCode }) => errorCode !== 'if.openapi.validation');
  // Whatever it is that nothing else tells of, it is wrong.
  return (telling.length > 0 ? telling : error.errors)
    .filter(
      ({ path, errorCode }) =>
        errorCode !== 'uniqueItems.openapi.validation' || !hasUniqueItems(exact, inEnvelope(path)),
    )
    .map(({ path, message, errorCode }) => ({
      pointer: inEnvelope(path),
      message:
        errorCode === 'required.openapi.validation'
          ? 'is required'
          : (MESSAGES[message] ?? message),
    }));
}

function inEnvelope(path: string): string {
  return path.replace(/^\/(?:body|response)(?=\/|$)/, '');
}

/** One line that names every problem, up to a sensible number, for the client. */
export function describeProblems(problems: readonly Problem[]): string {
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
  return `${part} ${rest.slice(0, MAX_POINTER_LENGTH)}`.trim();
}

interface ValidatorError {
  readonly status: number;
  readonly errors: readonly { path: string; message: string; errorCode?: string }[];
}

function hasErrors(error: unknown): error is ValidatorError {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
