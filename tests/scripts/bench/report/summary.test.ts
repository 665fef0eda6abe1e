import { describe, expect, it } from '@jest/globals';
import type { LoadResult } from '../../../../scripts/bench/load/target-load.js';
import { summarise } from '../../../../scripts/bench/report/summary.js';

function result(requestsPerSecond: number): LoadResult {
  return {
    requestsPerSecond,
    p50Ms: 1,
    p99Ms: 2,
    p999Ms: 3,
    cpuMicrosPerRequest: 1e6 / requestsPerSecond,
    residentMb: 100,
    serverCpu: 1,
    loaderCpu: 0.5,
    answered: 10,
    refused: 0,
    checkpoints: [],
  };
}

const LOAD = { connections: 64, bodyBytes: 100, measureMs: 1000 };

describe('summarise', () => {
  it('compares round with round, so that a slow minute slows down both', () => {
    const results = { ours: [200, 20, 400].map(result), other: [100, 10, 100].map(result) };

    const { rounds, summaries } = summarise({ ...LOAD, results });
    const other = summaries.find(({ name }) => name === 'other');

    expect(rounds).toBe(3);
    expect(other?.oursIs).toEqual({ median: 2, min: 2, max: 4 });
    expect(other?.ratios?.requestsPerSecond).toEqual({ median: 0.5, min: 0.25, max: 0.5 });
  });

  it('compares nothing where ours did not take part', () => {
    const [other] = summarise({ ...LOAD, results: { other: [result(100)] } }).summaries;

    expect(other?.oursIs).toBeUndefined();
    expect(other?.figures.requestsPerSecond.median).toBe(100);
  });
});
