import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReport } from '../bench/report/bench-report.js';
import type { Workplace } from './workplace.js';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** What `npm start` runs once it has built. */
export function startCommand({ folder }: Workplace): [string, ...string[]] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [program = 'node', ...args] = scripts.start.split(' ');
  return [program, ...args];
}

const KILLS = 40;

/** More rounds of the test that kills the service in the middle of its work. */
export function runKillTest(place: Workplace): TestCounts & { readonly kills: number } {
  const counts = runTests(place, ['tests/durability.test.ts'], { DURABILITY_ROUNDS: `${KILLS}` });
  return { ...counts, kills: KILLS };
}

/** `npm test`; what fails is printed. */
export function runTests(
  place: Workplace,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): TestCounts {
  const file = join(place.folder, 'test-results.json');
  let hasFailed = false;
  try {
    place.run('npm', ['test', '--', '--json', `--outputFile=${file}`, ...args], env);
  } catch (error) {
    hasFailed = true;
    console.error(error instanceof Error ? error.message : error);
  }
  const { numPassedTests: passed, numFailedTests } = JSON.parse(readFileSync(file, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
  }; // as jest documents it
  // A run fails without a failed test where a suite doesn't load, or the coverage is too low.
  return { passed, failed: Math.max(numFailedTests, hasFailed ? 1 : 0) };
}

const RIVAL = 'fastify + our store';
/** About a minute for both together. */
const LOAD = ['--connections', '64', '--body', '100', '--rounds', '5', '--seconds', '4'];

export interface LoadFigures {
  readonly requestsPerSecond: number;
  /** As a multiple of what Fastify has on our store. */
  readonly ofRival: number;
  readonly residentMb: number;
}

/** Puts the service and Fastify under load, in turns. */
export function loadSideBySide(place: Workplace): LoadFigures {
  const file = join(place.folder, 'load.json');
  place.run('npm', ['run', 'bench', '--', '--only', `ours,${RIVAL}`, ...LOAD, '--json', file]);
  const [pass] = readReport(file).passes;
  const [ours, rival] = ['ours', RIVAL].map((name) =>
    pass?.summaries.find((summary) => summary.name === name),
  );
  return {
    requestsPerSecond: ours?.figures.requestsPerSecond.median ?? NaN,
    ofRival: rival?.oursIs?.median ?? NaN,
    residentMb: ours?.figures.residentMb.median ?? NaN,
  };
}
