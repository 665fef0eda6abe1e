/**
 * `npm run test:nodes -- 22 24 26`: from a fresh clone, on each of these versions of Node, without a
 * compiler in reach and without install scripts, installs, starts, tests, kills and loads the service.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { textTable } from './bench/report/table.js';
import { readCommandLine, UsageError } from './command-line.js';
import { timeFirstAnswer } from './test-nodes/first-answer.js';
import {
  loadSideBySide,
  runKillTest,
  runTests,
  startCommand,
  type TestCounts,
} from './test-nodes/measures.js';
import { fetchBun, fetchNode, type Runtime } from './test-nodes/runtime.js';
import { createWorkplace, type Workplace } from './test-nodes/workplace.js';

const DEFAULT_VERSIONS = ['20', '22', '24', '26'];
const USAGE = `usage: npm run test:nodes -- [VERSION...]
  VERSION  such as 24 or 24.21.0 (${DEFAULT_VERSIONS.join(' ')})`;
/** The newest version of Node that is too old. */
const UNSUPPORTED = '18';
/** Of so many starts the quickest counts: what else runs on the machine can only add to it. */
const STARTS = 5;

const COLUMNS = [
  'npm ci s',
  'first answer s',
  'tests',
  'kills survived',
  'requests/s',
  'of Fastify',
  'MB',
] as const;

/** What `npm test` is given: nothing, and then the suites that need Node alone and have a command of their own. */
const SUITES = [
  [],
  ['--config', 'tests/packages.jest.config.js'],
  ['--config', 'tests/scripts/jest.config.js'],
];

/** What was found out about one runtime, as far as it came. */
type Findings = Partial<Record<(typeof COLUMNS)[number], string>>;

const total = { passed: 0, failed: 0 };

async function testOn(runtime: Runtime): Promise<Findings> {
  const place = createWorkplace(runtime);
  const findings: Findings = {};
  try {
    await findOut(place, findings);
  } catch (error) {
    total.failed += 1;
    console.error(error instanceof Error ? error.message : error);
  } finally {
    place.remove();
  }
  return findings;
}

async function findOut(place: Workplace, findings: Findings): Promise<void> {
  findings['npm ci s'] = place.run('npm', ['ci', '--ignore-scripts']).toFixed(0);

  await timeFirstAnswer(place, ['npm', 'start']);
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    times.push(await timeFirstAnswer(place, startCommand(place)));
  }
  findings['first answer s'] = Math.min(...times).toFixed(2);

  const suites = SUITES.map((args) => count(runTests(place, args)));
  const [passed, failed] = [sumOf(suites, 'passed'), sumOf(suites, 'failed')];
  findings.tests = `${passed} passed, ${failed} failed`;

  const killed = count(runKillTest(place));
  findings['kills survived'] = killed.failed === 0 ? `${killed.kills}` : 'FAILED';

  const { requestsPerSecond, ofRival, residentMb } = loadSideBySide(place);
  findings['requests/s'] = requestsPerSecond.toFixed(0);
  findings['of Fastify'] = ofRival.toFixed(2);
  findings.MB = residentMb.toFixed(0);
}

function count<Counts extends TestCounts>(counts: Counts): Counts {
  total.passed += counts.passed;
  total.failed += counts.failed;
  return counts;
}

function sumOf(counts: readonly TestCounts[], member: keyof TestCounts): number {
  return counts.reduce((sum, each) => sum + each[member], 0);
}

/** Whether a runtime that the service doesn't support is told so in one line, with exit 2. */
function isRefusedOn({ name, executable }: Runtime): boolean {
  const { status, stdout, stderr } = spawnSync(executable, ['dist/src/main.js'], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  const isRefused = status === 2 && stdout === '' && /^Plant Store needs .*\n$/.test(stderr);
  console.log(
    `${name}: ${isRefused ? stderr.trim() : `NOT REFUSED: ${status} ${stdout}${stderr}`}`,
  );
  return isRefused;
}

function readVersions(args: string[]): string[] {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const wrong = positionals.find((version) => !/^\d+(\.\d+){0,2}$/.test(version));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is no version of Node`);
  return positionals.length > 0 ? positionals : DEFAULT_VERSIONS;
}

const versions = readCommandLine(USAGE, readVersions);
const rows: string[][] = [];
for (const version of versions) {
  const runtime = fetchNode(version);
  const startedAt = performance.now();
  const findings = await testOn(runtime);
  const name = execFileSync(runtime.executable, ['--version'], { encoding: 'utf8' }).trim();
  rows.push([name, ...COLUMNS.map((column) => findings[column] ?? '-')]);
  const minutes = (performance.now() - startedAt) / 60_000;
  console.log(`${name}: ${JSON.stringify(findings)}, in ${minutes.toFixed(1)} minutes`);
}

for (const runtime of [fetchNode(UNSUPPORTED), fetchBun()]) {
  if (isRefusedOn(runtime)) total.passed += 1;
  else total.failed += 1;
}

console.log(`\n${textTable([['', ...COLUMNS], ...rows])}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
if (total.failed > 0) process.exitCode = 1;
