import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ContractCoverage } from './coverage.js';
import { coverageTable, missing } from './coverage-table.js';
import { coveragePage } from './coverage-page.js';
import { RECORDS_FOLDER, type CoverageRecord } from './coverage-record.js';

/** What jest tells of the run, as far as it is asked for here. */
interface Run {
  readonly rootDir: string;
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
  readonly onlyChanged: boolean;
  readonly findRelatedTests: boolean;
  readonly shard?: unknown;
}

interface Results {
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly wasInterrupted: boolean;
}

export interface CoverageReporterOptions {
  /** The path of the contract from the root of the project. */
  readonly contract: string;
  /** Where `contract.json` and `contract.html` are written. */
  readonly folder: string;
  /** How much must have been seen, in per cent, for the run to pass. */
  readonly threshold: number;
}

/**
 * Adds up, over all test files, what the clients have seen of a contract; prints it, writes it to files,
 * and fails the run where that is less than the threshold. A run of some of the tests isn't judged.
 */
export default class CoverageReporter {
  readonly #run: Run;
  readonly #options: CoverageReporterOptions;
  readonly #records = mkdtempSync(join(tmpdir(), 'contract-coverage-'));
  #failure: Error | undefined;

  constructor(run: Run, options: CoverageReporterOptions) {
    this.#run = run;
    this.#options = options;
    // Jest's workers are started later, and inherit it.
    process.env[RECORDS_FOLDER] = this.#records;
  }

  onRunComplete(_contexts: unknown, results: Results): void {
    try {
      if (this.#isWhole()) this.#report(results);
    } finally {
      rmSync(this.#records, { recursive: true });
    }
  }

  /** Where it returns an error, jest exits with 1. */
  getLastError(): Error | undefined {
    return this.#failure;
  }

  #isWhole(): boolean {
    const { testPathPatterns, testNamePattern, onlyChanged, findRelatedTests, shard } = this.#run;
    const isCut = onlyChanged || findRelatedTests || shard !== undefined;
    return !isCut && testPathPatterns.patterns.length === 0 && (testNamePattern ?? '') === '';
  }

  #report({ numFailedTests, numFailedTestSuites, wasInterrupted }: Results): void {
    const { contract, threshold } = this.#options;
    const path = resolve(this.#run.rootDir, contract);
    const coverage = new ContractCoverage(path);
    for (const record of this.#read()) {
      if (record.contract === path) coverage.add(record.counts);
    }
    const report = coverage.report();
    const folder = resolve(this.#run.rootDir, this.#options.folder);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'contract.json'), `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(join(folder, 'contract.html'), coveragePage(report));
    console.log(coverageTable(report));
    // Of tests that failed, the failures say more than what they have therefore not seen.
    const isBroken = numFailedTests > 0 || numFailedTestSuites > 0 || wasInterrupted;
    if (isBroken || report.percent >= threshold) return;
    this.#failure = new Error(
      `${contract}: the tests have seen ${report.percent.toFixed(1)} % of it, less than ${threshold} %`,
    );
    console.error([this.#failure.message, ...missing(report)].join('\n  '));
  }

  #read(): CoverageRecord[] {
    return readdirSync(this.#records)
      .flatMap((file) => readFileSync(join(this.#records, file), 'utf8').trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as CoverageRecord); // as the test files write it
  }
}
