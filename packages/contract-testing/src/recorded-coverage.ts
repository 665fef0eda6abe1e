import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { ContractCoverage } from './coverage.js';
import { RECORDS_FOLDER, type CoverageRecord } from './coverage-record.js';

const recorded = new Map<string, ContractCoverage>();

/** The coverage of the contract in a file, which the reporter adds up over all test files. */
export function recordedCoverage(contract: string): ContractCoverage {
  const coverage = recorded.get(contract) ?? new ContractCoverage(contract);
  recorded.set(contract, coverage);
  return coverage;
}

// Each test file has a registry of modules, and therefore a hook, of its own.
afterAll(() => {
  const folder = process.env[RECORDS_FOLDER];
  if (folder === undefined) return;
  for (const [contract, { counts }] of recorded) {
    const record: CoverageRecord = { contract, counts };
    const file = join(folder, `${process.env.JEST_WORKER_ID ?? '1'}.ndjson`);
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  }
});
