import type { ContractProblem } from '../document/contract-error.js';
import type { ContractWarning } from '../document/contract-warning.js';
import type { ContractDocument } from '../document/document.js';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import { pointer } from '../json/pointer.js';
import type { Responder } from '../message/responder.js';
import { declaredResponse, type Operation } from '../operation/operation.js';
import type { Pipeline } from '../routing/router.js';
import { checkSchemas } from '../validation/schema-check.js';

/** The status of operations that can't be served (RFC 9110 §15.6.2). */
export const NOT_IMPLEMENTED = 501;

/**
 * What is left of an operation that can't be served: its place, without a query or a fragment, which no
 * path of a request has, and the 501 that it declares, if that can be judged.
 */
export function refusedOperation(document: ContractDocument, operation: Operation): Operation {
  const declared = declaredResponse(operation, NOT_IMPLEMENTED);
  const bare = {
    ...operation,
    pathTemplate: operation.pathTemplate.replace(/\{?[?#].*/, ''),
    parameters: [],
    requestBody: undefined,
    security: [],
  };
  const refused = { ...bare, responses: new Map(declared && [[`${NOT_IMPLEMENTED}`, declared]]) };
  const problems: ContractProblem[] = [];
  checkSchemas(document, [refused], (_operation, problem) => problems.push(problem));
  return problems.length === 0 ? refused : { ...bare, responses: new Map() };
}

/** Answers every request of an operation that can't be served, whoever makes it. */
export function createRefusal(operation: Operation, responder: Responder): Pipeline {
  return async (req, res) => {
    const locals: ExchangeLocals = res.locals;
    locals.operationId = operation.operationId;
    locals.observation?.routed(operation, req.baseUrl);
    const error = new ApiError(
      EngineCode.notImplemented,
      'the contract has this operation, and this service does not implement it',
    );
    await responder.refuse(req, res, error);
  };
}

/** Says at boot why an operation isn't served. */
export function refusalWarnings(
  { operationId, pathTemplate, method }: Operation,
  problems: readonly ContractProblem[],
): ContractWarning[] {
  return problems.map(({ what }) => ({
    operationIds: [operationId],
    pointer: pointer(['paths', pathTemplate, method.toLowerCase()]),
    what: `not served, but answered with ${NOT_IMPLEMENTED}: ${what}`,
  }));
}
