import type {
  ContractDocument,
  MediaTypeObject,
  OperationObject,
  ResponseObject,
  SecurityRequirement,
} from './document.js';
import { isObject } from './document.js';

/** One operation with everything that applies to it, references resolved down to its media types. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly pathTemplate: string;
  readonly requestBody: RequestBody | undefined;
  /** By status as declared: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, ResponseObject>;
  /** Alternatives; one of them must be satisfied. Empty where anyone may call. */
  readonly security: readonly SecurityRequirement[];
  readonly object: OperationObject;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, MediaTypeObject>;
}

/** The methods a Path Item can have (OpenAPI 3.1 §4.8.9). */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** The operations of a contract, in its order. `problems` gets what is wrong with them. */
export function listOperations(document: ContractDocument, problems: string[]): Operation[] {
  const operations: Operation[] = [];
  for (const [pathTemplate, pathItem] of Object.entries(document.root.paths ?? {})) {
    const item = document.resolve(pathItem);
    for (const method of METHODS) {
      const object = item[method];
      if (!isObject(object)) continue;
      const where = `${method.toUpperCase()} ${pathTemplate}`;
      if (typeof object.operationId !== 'string') {
        problems.push(`${where}: has no operationId, by which its handler is found`);
        continue;
      }
      if (item.parameters !== undefined || object.parameters !== undefined) {
        problems.push(`${where}: parameters are not supported yet`);
        continue;
      }
      operations.push(createOperation(document, method.toUpperCase(), pathTemplate, object));
    }
  }
  const seen = new Set<string>();
  for (const { operationId } of operations) {
    if (seen.has(operationId))
      problems.push(`${operationId}: two operations have this operationId`);
    seen.add(operationId);
  }
  return operations;
}

export function createOperation(
  document: ContractDocument,
  method: string,
  pathTemplate: string,
  object: OperationObject,
): Operation {
  const requestBody = document.resolve(object.requestBody);
  return {
    operationId: object.operationId ?? '',
    method,
    pathTemplate,
    object,
    requestBody: requestBody && {
      required: requestBody.required ?? false,
      content: new Map(Object.entries(requestBody.content)),
    },
    responses: new Map(
      Object.entries(object.responses ?? {}).map(([status, response]) => [
        status,
        document.resolve(response),
      ]),
    ),
    security: object.security ?? document.root.security ?? [],
  };
}

/** The response declared for a status: its own, its range's or the default (OpenAPI 3.1 §4.8.16). */
export function declaredResponse(operation: Operation, status: number): ResponseObject | undefined {
  const { responses } = operation;
  return (
    responses.get(String(status)) ??
    responses.get(`${Math.floor(status / 100)}XX`) ??
    responses.get('default')
  );
}
