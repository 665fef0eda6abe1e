import type { ContractDocument } from './document.js';
import type { JsonValue } from './json-value.js';
import type { Operation } from './operation.js';

/** Where the parameters of a request stand, as they came in. */
export interface ParameterSource {
  /** By the names in the path template, percent-encoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** By location and name, as the envelope has them; every integer exact. */
export type ParameterValues = Record<
  'path' | 'query' | 'header' | 'cookie',
  Record<string, JsonValue>
>;

export type ReadParameters = (source: ParameterSource) => ParameterValues;

/** Builds the reader of an operation's parameters. */
export function createParameterReader(
  _document: ContractDocument,
  operation: Operation,
  problems: string[],
): ReadParameters {
  if (operation.parameters.length > 0) {
    problems.push(`${operation.operationId}: parameters are not supported yet`);
  }
  return ({ query }) => ({
    path: {},
    query: query === '' ? {} : Object.fromEntries(new URLSearchParams(query)),
    header: {},
    cookie: {},
  });
}
