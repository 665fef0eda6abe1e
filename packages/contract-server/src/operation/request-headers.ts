import { isObject, type ContractDocument } from '../document/document.js';
import type { Operation } from './operation.js';

/** The header fields that an operation reads: its credentials, `Content-Type`, and those it declares. */
export function requestHeaders(document: ContractDocument, operation: Operation): string[] {
  const { security, requestBody, parameters } = operation;
  const schemes = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  return [
    ...[...schemes].flatMap((name) => credentialHeader(document, name)),
    ...(requestBody === undefined ? [] : ['Content-Type']),
    ...parameters.flatMap((parameter) => (parameter.in === 'header' ? parameter.name : [])),
  ];
}

function credentialHeader(document: ContractDocument, schemeName: string): string[] {
  const scheme = document.resolve(document.root.components?.securitySchemes?.[schemeName]);
  if (!isObject(scheme)) return [];
  if (scheme.type !== 'apiKey') return ['Authorization'];
  return scheme.in === 'header' ? [String(scheme.name)] : [];
}
