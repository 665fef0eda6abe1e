/**
 * Runs the generative tests with other numbers than `npm test` does:
 * `npm run test:fuzz -- --runs 100000 --seed 7`. What a failure prints leads back to it by
 * `--seed`, `--path` and `--only`.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    path: { type: 'string' },
    only: { type: 'string' },
  },
});
for (const name of ['runs', 'seed'] as const) {
  if (/^-?\d+$/.test(values[name])) continue;
  console.error(`--${name} ${values[name]}: must be an integer`);
  process.exit(2);
}

console.error(`${values.runs} requests of each kind for each operation, seed ${values.seed}`);
const { status } = spawnSync(
  'npm',
  ['test', '--', 'tests/generative/', ...(values.only === undefined ? [] : ['-t', values.only])],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      FUZZ_RUNS: values.runs,
      FUZZ_SEED: values.seed,
      ...(values.path !== undefined && { FUZZ_PATH: values.path }),
    },
  },
);
process.exit(status ?? 1);
