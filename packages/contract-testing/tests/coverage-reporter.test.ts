import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RECORDS_FOLDER, type CoverageRecord } from '../src/coverage-record.js';
import CoverageReporter from '../src/coverage-reporter.js';

const CONTRACT = fileURLToPath(
  new URL('../../../tests/fixtures/train-travel.yaml', import.meta.url),
);
const WHOLE = {
  rootDir: '/',
  testPathPatterns: { patterns: [] },
  onlyChanged: false,
  findRelatedTests: false,
};
const PASSED = { numFailedTests: 0, numFailedTestSuites: 0, wasInterrupted: false };

const recordsFolder = process.env[RECORDS_FOLDER];
let folder: string;
let printed: string;

beforeEach(() => {
  folder = mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'contract-'));
  printed = '';
  for (const method of ['log', 'error'] as const) {
    jest.spyOn(console, method).mockImplementation((text: string) => {
      printed += text;
    });
  }
});

afterEach(() => {
  jest.restoreAllMocks();
  process.env[RECORDS_FOLDER] = recordsFolder;
});

/** What the reporter says at the end of a run in which two workers have seen a booking being cancelled. */
function failureOf(threshold: number, run: object = WHOLE, results = PASSED): Error | undefined {
  const reporter = new CoverageReporter(
    { ...WHOLE, ...run },
    { contract: CONTRACT, folder, threshold },
  );
  const counts = { responses: { 'cancelBooking 204 ': 2 }, accepted: {}, refused: {} };
  const records: CoverageRecord[] = [
    { contract: CONTRACT, counts },
    { contract: 'another', counts },
  ];
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  for (const worker of ['1', '2']) {
    writeFileSync(join(process.env[RECORDS_FOLDER] ?? '', `${worker}.ndjson`), lines);
  }
  reporter.onRunComplete(undefined, results);
  return reporter.getLastError();
}

describe('a run of all tests', () => {
  it('fails where less than the threshold was seen, and says what was not', () => {
    expect(failureOf(100)?.message).toMatch(/have seen \d+\.\d % of it, less than 100 %$/);
    expect(printed).toContain('getBooking: no test has seen the response 200 application/json');
  });

  it('passes where the threshold is met', () => {
    expect(failureOf(1)).toBeUndefined();
    expect(printed).toMatch(/^ {2}cancelBooking +204 +\(no body\) +4$/m);
  });

  it('leaves the report as JSON and as a page', () => {
    failureOf(1);

    const report = JSON.parse(readFileSync(join(folder, 'contract.json'), 'utf8')) as object;
    expect(report).toMatchObject({ title: 'Train travel', responses: expect.any(Array) });
    expect(readFileSync(join(folder, 'contract.html'), 'utf8')).toContain('<!doctype html>');
  });

  it('leaves no records behind', () => {
    failureOf(1);

    expect(existsSync(process.env[RECORDS_FOLDER] ?? '')).toBe(false);
  });

  it('is not failed twice where tests have failed', () => {
    expect(failureOf(100, WHOLE, { ...PASSED, numFailedTests: 1 })).toBeUndefined();
  });
});

it.each([
  ['of one file', { testPathPatterns: { patterns: ['plants'] } }],
  ['of tests by name', { testNamePattern: 'refuses' }],
  ['of what has changed', { onlyChanged: true }],
  ['of a shard', { shard: { shardIndex: 1, shardCount: 2 } }],
])('a run %s is not judged', (_case, run) => {
  expect(failureOf(100, run)).toBeUndefined();
  expect(printed).toBe('');
});
