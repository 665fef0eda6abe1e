import type { ContractDocument } from '../document/document.js';
import { listOperations, type Operation } from '../operation/operation.js';
import { candidateResponses, type MockResponse } from './mock-response.js';
import { createResponseCheck } from './response-check.js';

/**
 * A handler of an operation that isn't written yet: it answers from the contract's examples, or with
 * values that are made from its schemas, always the same. Its type fits every operation's handler; what
 * it answers is judged as any handler's is.
 * @throws Error where the contract has no such operation
 */
export function mock(document: ContractDocument, operationId: string): () => Promise<never> {
  const operation = operationsOf(document).get(operationId);
  if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`);
  let response: Promise<MockResponse> | undefined;
  return async () => {
    response ??= findResponse(document, operation);
    return (await response) as never; // no operation's own type says what is made for all of them
  };
}

/** A mock for each operation of a contract. */
export function mockHandlers(document: ContractDocument): Record<string, () => Promise<never>> {
  const ids = [...operationsOf(document).keys()];
  return Object.fromEntries(ids.map((operationId) => [operationId, mock(document, operationId)]));
}

/** @throws Error that says why none of the responses that were made keeps the contract */
async function findResponse(
  document: ContractDocument,
  operation: Operation,
): Promise<MockResponse> {
  const all = [...operationsOf(document).values()];
  const problemsOf = await createResponseCheck(document, all, operation);
  let last: readonly string[] = [];
  for (const response of candidateResponses(document, operation)) {
    const problems = await problemsOf(response);
    if (problems.length === 0) return response;
    last = problems;
  }
  throw new Error(
    `${operation.operationId}: no answer was found that keeps the contract; give the response an example. The last one: ${last.join('; ')}`,
  );
}

const operations = new WeakMap<ContractDocument, ReadonlyMap<string, Operation>>();

function operationsOf(document: ContractDocument): ReadonlyMap<string, Operation> {
  const known = operations.get(document);
  if (known !== undefined) return known;
  const listed = new Map(
    listOperations(document).map((operation) => [operation.operationId, operation]),
  );
  operations.set(document, listed);
  return listed;
}
