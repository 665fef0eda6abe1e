export { answersOf, type Answer } from './answers.js';
export type { Case } from './case.js';
export { valuesOf } from './cases.js';
export type { Expectation } from './check.js';
export { openClient, type Client } from './client.js';
export { loadContract, type Contract } from './contract.js';
export type { Operation } from './operation.js';
export { isJsonObject, writeJson, type Json } from './json.js';
export type { Members } from './members.js';
export {
  createRequestCheck,
  createResponseCheck,
  type MutationCheck,
  type Started,
} from './mutation-checks.js';
export { mutantsOf, type Mutant } from './mutations.js';
export { lostOnTheWay, type Received } from './received.js';
export { Schemas } from './schemas.js';
export { listen, type Served } from './served.js';
export { testContract, type Subject } from './suite.js';
export type { Caller } from './valid-requests.js';
export { Values } from './values.js';
