export { createCheck, type Check, type CheckOptions } from './check.js';
export {
  contractClient,
  type App,
  type CheckedRequest,
  type ContractClient,
  type ContractClientOptions,
} from './client.js';
export type { Answer, Call } from './client-types.js';
export { ContractCoverage, type CoverageReport } from './coverage.js';
export { ContractViolation, type Exchange, type Problem } from './exchange.js';
export type { Verdict } from './judge.js';
