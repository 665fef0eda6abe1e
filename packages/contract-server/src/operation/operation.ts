import {
  isObject,
  type ContractDocument,
  type MediaTypeObject,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  type Schema,
  type SecurityRequirement,
} from '../document/document.js';
import { impliedParameters } from './implied-parameters.js';
import { inQuery } from './querystring.js';

/** One operation with everything that applies to it, references resolved down to its media types. */
export interface Operation {
  /** Where the contract gives it none of its own, its method and path: `GET /things/{id}`. */
  readonly operationId: string;
  readonly method: string;
  readonly pathTemplate: string;
  /** Also those of the path item that the operation doesn't override. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  /** By status as declared: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, ResponseObject>;
  /** Alternatives; one of them must be satisfied. Empty where anyone may call. */
  readonly security: readonly SecurityRequirement[];
}

/** A parameter with everything that OpenAPI 3.1 §4.8.12 leaves to its defaults. */
export interface Parameter {
  readonly name: string;
  readonly in: Exclude<ParameterObject['in'], 'querystring'>;
  /** Nothing but it is in the query. */
  readonly isWholeQuery?: boolean;
  readonly required: boolean;
  readonly allowEmptyValue: boolean;
  readonly allowReserved: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly schema: Schema;
  /** Defined for a parameter that has `content` instead of a style. */
  readonly mediaType: string | undefined;
}

/** A parameter, or a field of a form, which may be written in the same styles (OpenAPI 3.1 §4.8.15.1). */
export type Field = Omit<Parameter, 'in'> & { readonly in: Parameter['in'] | 'body' };

export interface RequestBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, MediaTypeObject>;
}

/** The methods a Path Item can have (OpenAPI 3.2.0 §4.9.1). */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** An Operation Object and where it stands. */
export interface PlacedOperation {
  /** As {@link Operation.operationId}. */
  readonly operationId: string;
  readonly method: string;
  readonly pathTemplate: string;
  readonly object: OperationObject & Readonly<Record<string, unknown>>;
  readonly pathItem: Readonly<Record<string, unknown>>;
}

/**
 * Every Operation Object below `paths`, in the contract's order. One without operationId, and each of
 * several that share one, is named by its method and path, of which a document has no two alike.
 */
export function placedOperations(document: ContractDocument): PlacedOperation[] {
  const placed = [...findOperations(document)];
  const counts = new Map<unknown, number>();
  for (const { object } of placed) {
    counts.set(object.operationId, (counts.get(object.operationId) ?? 0) + 1);
  }
  return placed.map((one) => {
    const { operationId } = one.object;
    const isOwn = typeof operationId === 'string' && counts.get(operationId) === 1;
    return { ...one, operationId: isOwn ? operationId : `${one.method} ${one.pathTemplate}` };
  });
}

function* findOperations(
  document: ContractDocument,
): Generator<Omit<PlacedOperation, 'operationId'>> {
  for (const [pathTemplate, item] of Object.entries(document.root.paths ?? {})) {
    if (!pathTemplate.startsWith('/')) continue; // an extension
    const pathItem = document.resolve(item);
    const named = METHODS.map((name) => [name.toUpperCase(), pathItem[name]] as const);
    const others: [string, unknown][] = Object.entries(pathItem.additionalOperations ?? {});
    for (const [method, object] of [...named, ...others]) {
      if (isObject(object)) yield { method, pathTemplate, object, pathItem };
    }
  }
}

/** The operations of a contract, in its order. */
export function listOperations(document: ContractDocument): Operation[] {
  return placedOperations(document).map(({ operationId, method, pathTemplate, object, pathItem }) =>
    createOperation(
      document,
      method,
      pathTemplate,
      { ...object, operationId },
      pathItem.parameters,
    ),
  );
}

/**
 * What is wrong with the operationIds of a contract, which has to give each operation its own: the
 * problems, by the names of the operations.
 */
export function nameProblems(document: ContractDocument): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  for (const { operationId, object } of placedOperations(document)) {
    if (object.operationId === undefined) {
      const problem = `${operationId}: has no operationId, by which its handler is found`;
      problems.set(operationId, problem);
    } else if (object.operationId !== operationId) {
      problems.set(operationId, `${object.operationId}: two operations have this operationId`);
    }
  }
  return problems;
}

export function createOperation(
  document: ContractDocument,
  method: string,
  pathTemplate: string,
  object: OperationObject,
  pathItemParameters: unknown = [],
): Operation {
  const requestBody = document.resolve(object.requestBody);
  const responses = new Map(
    Object.entries(object.responses ?? {}).map(([status, response]) => [
      status,
      document.resolve(response),
    ]),
  );
  const parameters = [
    ...(object.parameters ?? []),
    ...(Array.isArray(pathItemParameters) ? (pathItemParameters as ParameterObject[]) : []),
  ].map((parameter) => document.resolve(parameter));
  return {
    operationId: object.operationId ?? '',
    method,
    pathTemplate,
    parameters: listParameters([
      ...parameters,
      ...impliedParameters(parameters, [...responses.values()]),
    ]),
    requestBody: requestBody && {
      required: requestBody.required ?? false,
      content: new Map(Object.entries(requestBody.content)),
    },
    responses,
    security: object.security ?? document.root.security ?? [],
  };
}

/** OpenAPI 3.1 §4.8.12.1: as header parameters these are ignored, the document says them elsewhere. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization'];

const DEFAULT_STYLE = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' };

function listParameters(objects: readonly ParameterObject[]): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const given of objects) {
    const object = inQuery(given);
    const [mediaType, content] = Object.entries(object.content ?? {})[0] ?? [];
    const style = object.style ?? DEFAULT_STYLE[object.in];
    const key = `${object.in} ${object.name}`;
    if (object.in === 'header' && IGNORED_HEADERS.includes(object.name.toLowerCase())) continue;
    if (parameters.has(key)) continue;
    parameters.set(key, {
      name: object.name,
      in: object.in,
      isWholeQuery: given.in === 'querystring',
      required: object.required ?? false,
      allowEmptyValue: object.allowEmptyValue ?? false,
      allowReserved: object.allowReserved ?? false,
      style,
      explode: object.explode ?? style === 'form',
      schema: content?.schema ?? object.schema ?? {},
      mediaType,
    });
  }
  return [...parameters.values()];
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
