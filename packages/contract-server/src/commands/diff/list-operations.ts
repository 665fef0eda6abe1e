import type { ContractDocument } from '../../index.js';
import { createOperation, placedOperations, type Operation } from '../../operation/operation.js';

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

/** The operations of a contract by their routes. */
export function listOperations(document: ContractDocument): Map<string, DiffedOperation> {
  const operations = new Map<string, DiffedOperation>();
  for (const { method, pathTemplate, operationId, object, pathItem } of placedOperations(
    document,
  )) {
    const route = `${method} ${pathTemplate.replace(/\{[^}]*\}/g, '{}')}`;
    operations.set(route, {
      ...createOperation(
        document,
        method,
        pathTemplate,
        { ...object, operationId },
        pathItem.parameters,
      ),
      document,
      route,
      isDeprecated: object.deprecated === true,
      callbacks: object.callbacks,
      servers: object.servers ?? pathItem.servers,
    });
  }
  return operations;
}
