import type { ContractDocument } from '../document/document.js';
import type { Operation } from '../operation/operation.js';
import { readSecurityScheme } from './security-scheme.js';

/** Adds to `problems` what of an operation's security no strategy could make true. */
export function checkSecurity(
  document: ContractDocument,
  { operationId, security }: Operation,
  problems: string[],
): void {
  for (const requirement of security) {
    const schemes = Object.keys(requirement).map((name) =>
      readSecurityScheme(document, name, problems),
    );
    const httpSchemes = new Set(schemes.map((scheme) => scheme?.httpScheme));
    httpSchemes.delete(undefined);
    if (httpSchemes.size > 1) {
      problems.push(
        `${operationId}: asks for ${[...httpSchemes].join(' and ')} together, but a request has one Authorization header`,
      );
    }
  }
}
