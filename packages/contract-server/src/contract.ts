/** For tools: a contract as it was read, and its operations as they are served. */
export { addedResponses, yamlOf } from './commands/add-responses/added-responses.js';
export { addToText, type AddedValue } from './document/insert-text.js';
export { describeProblem, type ContractProblem } from './document/contract-error.js';
export { isObject } from './document/document.js';
export type {
  ContractDocument,
  HeaderObject,
  ResponseObject,
  Schema,
  SecurityRequirement,
} from './document/document.js';
export { parseContract, readContract } from './document/read-contract.js';
export { checkOperations, type OperationCheck } from './operation-check.js';
export { listMissingResponses, type MissingResponses } from './pipeline/status-check.js';
export {
  listOperations,
  nameProblems,
  type Operation,
  type Parameter,
} from './operation/operation.js';
