import type { Counts } from './coverage.js';

/** Says in the environment of a test run where each of its test files is to leave what it has counted. */
export const RECORDS_FOLDER = 'CONTRACT_COVERAGE_RECORDS';

/** What one test file has counted of one contract. */
export interface CoverageRecord {
  readonly contract: string;
  readonly counts: Counts;
}
