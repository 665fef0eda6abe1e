import type { ContractDocument } from '../../src/contract/index.js';
import { isObject } from '../../src/contract/document/document.js';
import { createOperation, type Operation } from '../../src/contract/operation.js';

/** An operation and what a service needn't know of it, but a client may. */
export interface DiffedOperation extends Operation {
  readonly document: ContractDocument;
  /** The same for the same requests: its path parameters have numbers for names. */
  readonly route: string;
  readonly isDeprecated: boolean;
  readonly callbacks: unknown;
  /** Undefined where those of the whole contract apply. */
  readonly servers: unknown;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The operations of a contract by their routes. Unlike the service, it takes those without an operationId. */
export function listOperations(document: ContractDocument): Map<string, DiffedOperation> {
  const operations = new Map<string, DiffedOperation>();
  for (const [pathTemplate, pathItem] of Object.entries(document.root.paths ?? {})) {
    if (!pathTemplate.startsWith('/')) continue; // an extension
    const item = document.resolve(pathItem);
    for (const method of METHODS) {
      const object = item[method];
      if (!isObject(object)) continue;
      const operation = createOperation(
        document,
        method.toUpperCase(),
        pathTemplate,
        object,
        item.parameters,
      );
      const route = `${operation.method} ${pathTemplate.replace(/\{[^}]*\}/g, '{}')}`;
      operations.set(route, {
        ...operation,
        document,
        route,
        isDeprecated: object.deprecated === true,
        callbacks: object.callbacks,
        servers: object.servers ?? item.servers,
      });
    }
  }
  return operations;
}
