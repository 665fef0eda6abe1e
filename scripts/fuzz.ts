/**
 * Runs the generative tests with other numbers than `npm test` does:
 * `npm run test:fuzz -- --runs 100000 --seed 7`. A failure prints the command that runs it again.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { readCommandLine, readCount, UsageError } from './command-line.js';

const MAX_RUNS = 100_000_000;

const USAGE = `usage: npm run test:fuzz -- [option...]
  --runs 10000  requests of each kind for each operation
  --seed N      any integer; by chance, if it isn't given`;

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  });
  if (!/^-?\d+$/.test(values.seed)) {
    throw new UsageError(`--seed must be an integer; it is "${values.seed}"`);
  }
  return { ...values, runs: readCount('runs', values.runs, MAX_RUNS) };
}

const { runs, seed } = readCommandLine(USAGE, readOptions);
console.error(`${runs} requests of each kind for each operation, seed ${seed}`);
const { status } = spawnSync('npm', ['test', '--', '--config', 'tests/generative/jest.config.js'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: seed },
});
process.exit(status ?? 1);
