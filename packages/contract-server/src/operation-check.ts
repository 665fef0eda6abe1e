import { METHODS } from 'node:http';
import {
  ContractError,
  referenceProblems,
  type ContractProblem,
} from './document/contract-error.js';
import type { ContractWarning } from './document/contract-warning.js';
import type { ContractDocument } from './document/document.js';
import { createRequestForms } from './message/form/request-forms.js';
import { itemProblems } from './operation/items.js';
import type { Operation } from './operation/operation.js';
import { createParameterReader } from './parameters/parameters.js';
import { checkPaths } from './routing/path-check.js';
import { readSecurityScheme, securityQueryNames } from './security/security-scheme.js';
import { checkSchemas } from './validation/schema-check.js';

/** What node can read; it makes no request of CONNECT. */
const SERVED_METHODS = new Set(METHODS.filter((method) => method !== 'CONNECT'));

/** What a contract's operations ask for, held against what the engine can do. */
export interface OperationCheck {
  /** Why an operation can't be served; those that can be aren't in it. */
  readonly unsupported: ReadonlyMap<Operation, readonly ContractProblem[]>;
  /** What of their schemas isn't enforced. */
  readonly warnings: readonly ContractWarning[];
}

/** Checks operations, and compiles nothing. */
export function checkOperations(
  document: ContractDocument,
  operations: readonly Operation[],
): OperationCheck {
  const unsupported = new Map<Operation, ContractProblem[]>();
  const report = (operation: Operation, problem: ContractProblem): void => {
    unsupported.set(operation, [...(unsupported.get(operation) ?? []), problem]);
  };
  checkPaths(operations, report);
  for (const operation of operations) {
    for (const problem of problemsOf(document, operation)) report(operation, problem);
  }
  return { unsupported, warnings: checkSchemas(document, operations, report) };
}

function problemsOf(document: ContractDocument, operation: Operation): readonly ContractProblem[] {
  const { operationId, method } = operation;
  const problems: ContractProblem[] = [
    ...itemProblems(operation),
    ...(SERVED_METHODS.has(method) ? [] : [`no request has the method ${method} here`]),
  ].map((what) => ({ place: operationId, what }));
  const report = (problem: ContractProblem): unknown => problems.push(problem);
  try {
    checkSecurity(document, operation, report);
    createParameterReader(document, operation, report, securityQueryNames(document, operation));
    createRequestForms(document, operation, report);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    problems.push(...referenceProblems(error));
  }
  return problems;
}

/** `report` gets what of an operation's security no strategy could make true. */
function checkSecurity(
  document: ContractDocument,
  { operationId, security }: Operation,
  report: (problem: ContractProblem) => void,
): void {
  for (const requirement of security) {
    const schemes = Object.keys(requirement).map((name) =>
      readSecurityScheme(document, name, report),
    );
    const httpSchemes = new Set(schemes.map((scheme) => scheme?.httpScheme));
    httpSchemes.delete(undefined);
    if (httpSchemes.size > 1) {
      report({
        place: operationId,
        what: `asks for ${[...httpSchemes].join(' and ')} together, but a request has one Authorization header`,
      });
    }
  }
}
