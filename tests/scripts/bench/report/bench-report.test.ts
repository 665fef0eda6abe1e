import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readReport, writeReport } from '../../../../scripts/bench/report/bench-report.js';

it('reads back what it wrote, with as many digits as a figure can mean', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-report-'));
  try {
    const file = join(folder, 'report.json');
    const committed = readReport('scripts/bench/results/throughput.json');
    const machine = { ...committed.machine, processors: 1_234_567, fsyncMs: 1.23456789 };

    await writeReport(file, { ...committed, machine });

    expect(readReport(file)).toEqual({ ...committed, machine: { ...machine, fsyncMs: 1.2346 } });
    expect(readFileSync(file, 'utf8')).toMatch(
      /^ +"requestsPerSecond": \{ "median": \S+, "min": \S+, "max": \S+ \},$/m,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
