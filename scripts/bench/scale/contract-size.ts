import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contestant } from '../process/contestants.js';
import type { LoadResult } from '../load/target-load.js';
import { runRound, type RoundOptions } from '../load/round.js';
import { builtProgram } from '../process/paths.js';
import { spread, type Spread } from '../report/spread.js';
import { writeWideContract } from './wide-contract.js';

/** What a request costs where the contract has so many operations. */
export interface ContractSize {
  readonly program: string;
  readonly operations: number;
  readonly cpuMicrosPerRequest: Spread;
  readonly residentMb: Spread;
}

const PROGRAMS: readonly Contestant[] = [
  {
    name: 'ours',
    about: '',
    args: [builtProgram('scale/any-contract-server')],
    checksResponses: true,
  },
  {
    name: 'tutorial + our store',
    about: '',
    args: [builtProgram('contestants/tutorial')],
    env: { STORE: 'ours' },
    checksResponses: true,
  },
];

/** Each size and program in turn, so many times over; each time in a new process. */
export async function measureContractSizes(
  sizes: readonly number[],
  rounds: number,
  load: RoundOptions,
): Promise<ContractSize[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plants-bench-'));
  try {
    const cases = PROGRAMS.flatMap((program) =>
      sizes.map((operations) => {
        const CONTRACT = join(folder, `${operations}.json`);
        writeWideContract(CONTRACT, operations);
        const results: LoadResult[] = [];
        return { program, operations, env: { ...program.env, CONTRACT }, results };
      }),
    );
    for (let round = 0; round < rounds; round++) {
      for (const { program, env, results } of cases) {
        results.push(await runRound({ ...program, env }, load));
      }
    }
    return cases.map(({ program, operations, results }) => ({
      program: program.name,
      operations,
      cpuMicrosPerRequest: spread(results.map((result) => result.cpuMicrosPerRequest)),
      residentMb: spread(results.map((result) => result.residentMb)),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
