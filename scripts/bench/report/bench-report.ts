import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { UsageError } from '../../command-line.js';
import type { Contestant } from '../process/contestants.js';
import type { Machine } from '../process/machine.js';
import type { PassSummary } from './summary.js';

/** What one run of `npm run bench` has found out. */
export interface BenchReport {
  readonly machine: Machine;
  readonly contestants: readonly ReportedContestant[];
  readonly passes: readonly PassSummary[];
}

export interface ReportedContestant extends Pick<Contestant, 'name' | 'about' | 'must' | 'most'> {
  /** The status that it answered each probe with, by the probe's title. */
  readonly statuses: Readonly<Record<string, number>>;
  /** What it doesn't enforce. */
  readonly lapses: readonly string[];
}

const DIGITS = 5;

/** A figure with its least and most takes one line, and has as many digits as it can mean. */
export async function writeReport(file: string, report: BenchReport): Promise<void> {
  const text = JSON.stringify(report, (_key, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value)
      ? Number(value.toPrecision(DIGITS))
      : value,
  );
  writeFileSync(file, await format(text, { parser: 'json', printWidth: 100 }));
}

/**
 * Reads what writeReport wrote.
 * @throws UsageError
 */
export function readReport(file: string): BenchReport {
  try {
    // A figure that there is none of is NaN, for which JSON has null.
    const orNaN = (_key: string, value: unknown): unknown => value ?? NaN;
    const report = JSON.parse(readFileSync(file, 'utf8'), orNaN) as BenchReport; // checked next
    if (!report.passes.every(({ summaries }) => Array.isArray(summaries))) throw new TypeError();
    return report;
  } catch (error) {
    const why = error instanceof Error && 'syscall' in error ? `: ${error.message}` : '';
    throw new UsageError(`${file} is no file that --json of this benchmark wrote${why}`);
  }
}
