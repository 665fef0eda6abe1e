import type { ContractProblem } from '../document/contract-error.js';
import type { ContractDocument } from '../document/document.js';
import type { Operation } from '../operation/operation.js';
import { readSecurityScheme } from './security-scheme.js';

/** `report` gets what of an operation's security no strategy could make true. */
export function checkSecurity(
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
