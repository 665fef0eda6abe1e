import type { ContractDocument, ResponseObject } from '../document/document.js';
import type { ApiError } from '../exchange/api-error.js';
import { declaredResponse, listOperations } from '../operation/operation.js';
import { Choices } from './choices.js';
import { errorBodyOf, PROBLEM_DETAILS } from './error-body.js';
import { findErrorShape } from './error-shape.js';
import { mockedContent } from './mock-response.js';
import { ValueMaker } from './value-maker.js';

type ErrorBody = (error: ApiError) => unknown;

/**
 * The bodies that a contract's errors have in a mock: each in the shape that its response declares, and
 * those that the contract doesn't declare in the shape that most of its errors share.
 */
export function mockErrorBody({ document }: { readonly document: ContractDocument }) {
  const operations = listOperations(document);
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const usual = errorBodyOf(findErrorShape(document, operations) ?? { members: PROBLEM_DETAILS });
  const declaredBodies = new Map<ResponseObject, ErrorBody>();

  return (error: ApiError, operationId?: string): unknown => {
    const operation = operationId === undefined ? undefined : byId.get(operationId);
    const declared = operation && declaredResponse(operation, error.status);
    if (declared === undefined) return usual(error);
    const body = declaredBodies.get(declared) ?? bodyOf(document, declared);
    declaredBodies.set(declared, body);
    return body(error);
  };
}

/** Where the text of an error has no place in a response, its body is a value that its schema accepts. */
function bodyOf(document: ContractDocument, declared: ResponseObject): ErrorBody {
  const shape = findErrorShape(document, [{ responses: new Map([['default', declared]]) }]);
  if (shape !== undefined) return errorBodyOf(shape);
  const [, media] = mockedContent(Object.entries(declared.content ?? {}));
  return () => {
    const choices = new Choices(0);
    const maker = new ValueMaker(document, { direction: 'response', choices, useExamples: true });
    return maker.make(media?.schema ?? true);
  };
}
