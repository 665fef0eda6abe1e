import { describe, expect, it } from '@jest/globals';
import type { Capacity } from '../../../../scripts/bench/postgres/capacity.js';
import { capacityTable, storeTable } from '../../../../scripts/bench/postgres/report.js';

const ALONE: Capacity = {
  name: 'ours',
  replicas: 1,
  perSecond: 30_000,
  replicaMicros: 25,
  databaseMicros: 10,
};

function rowsOf(table: string): string[][] {
  return table.split('\n').map((line) => line.split(/ {2,}/));
}

describe('the capacity of replicas', () => {
  it('is computed of one replica alone, until PostgreSQL is the limit', () => {
    const crowded = { ...ALONE, replicas: 2, replicaMicros: 50 };

    const rows = rowsOf(capacityTable([ALONE, crowded, { ...ALONE, name: 'bare' }]));

    expect(rows.slice(1, 4)).toEqual([
      ['1', '40000', '40000', '40000', '40000'],
      ['2', '80000', '80000', '80000', '80000'],
      ['3', '100000 *', '120000', '120000', '120000'],
    ]);
  });

  it('is not computed where one replica alone has not been measured', () => {
    expect(() => capacityTable([{ ...ALONE, replicas: 2 }])).toThrow('has not been measured');
  });
});

describe('the store alone', () => {
  it('is compared with pgbench round by round, as the driver is, and held to its must', () => {
    const table = storeTable([
      { callers: 64, store: [70, 160], driver: [80, 170], pgbench: [100, 200] },
      { callers: 1, store: [60], driver: [65], pgbench: [100] },
    ]);

    expect(rowsOf(table).slice(1)).toEqual([
      [
        '64',
        '115 (70-160)',
        '150 (100-200)',
        '0.82 (0.80-0.85) x',
        '0.75 (0.70-0.80) x',
        '0.7 x: met',
      ],
      ['1', '60', '100', '0.65 x', '0.60 x', '0.7 x: MISSED'],
    ]);
  });
});
