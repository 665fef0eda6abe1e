import { STATUS_CODES } from 'node:http';
import type { ApiError } from '../exchange/api-error.js';

/** The part of an error that fills a member of an error body. */
export type ErrorSource =
  | { readonly from: 'code' | 'codeText' | 'status' | 'statusText' | 'title' | 'message' }
  /** Nothing of the error: a value that the schema accepts. */
  | { readonly from: 'value'; readonly value: unknown }
  | { readonly from: 'members'; readonly members: ErrorMembers }
  /** An item for each problem of the request, by the names of its members. */
  | { readonly from: 'problems'; readonly items: Readonly<Record<string, ProblemPart>> };

export type ProblemPart = 'pointer' | 'message';

/** The members of an error body, and where each comes from. */
export type ErrorMembers = Readonly<Record<string, ErrorSource>>;

/** For a contract that declares no error body with room for a text (RFC 9457 §3.1). */
export const PROBLEM_DETAILS: ErrorMembers = {
  title: { from: 'title' },
  status: { from: 'status' },
  detail: { from: 'message' },
};

/** Makes error bodies of a shape. */
export function errorBodyOf(shape: {
  readonly members: ErrorMembers;
}): (error: ApiError) => unknown {
  return (error) => fill(shape.members, error);
}

function fill(members: ErrorMembers, error: ApiError): unknown {
  return Object.fromEntries(
    Object.entries(members).map(([name, source]) => [name, valueOf(source, error)]),
  );
}

function valueOf(source: ErrorSource, error: ApiError): unknown {
  const { code, status, message } = error;
  switch (source.from) {
    case 'code':
      return code;
    case 'codeText':
      return String(code);
    case 'status':
      return status;
    case 'statusText':
      return String(status);
    case 'title':
      return STATUS_CODES[status] ?? 'Error';
    case 'message':
      return message;
    case 'value':
      return source.value;
    case 'members':
      return fill(source.members, error);
    case 'problems':
      return error.problems.map((problem) =>
        Object.fromEntries(
          Object.entries(source.items).map(([name, part]) => [name, problem[part]]),
        ),
      );
  }
}
