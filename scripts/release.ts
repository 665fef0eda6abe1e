/**
 * `npm run release`: makes what is published of the commit that is checked out, in release/: the packages,
 * the service as it is deployed, what is in it (CycloneDX), and their SHA-256. `-- --check` only says
 * what keeps the files from being released as one version.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCommandLine, runCommand } from './command-line.js';
import { releaseProblems } from './release/problems.js';
import { StopError } from './stop-error.js';

const USAGE = `usage: npm run release [-- --check]
  --check  only says what keeps the files from being released as one version`;

const { values: options } = readCommandLine(USAGE, (args) =>
  parseArgs({ args, options: { check: { type: 'boolean', default: false } } }),
);

const RELEASE = resolve('release');
/** What develops the service, and no running one uses; the Dockerfile leaves out the same. */
const DEVELOPMENT = ['packages/contract-testing', 'packages/create-contract-service'];

await runCommand(() => Promise.resolve(release()));

function release(): number {
  const read = (path: string): string => readFileSync(path, 'utf8');
  const problems = releaseProblems(read, {
    packages: readdirSync('packages'),
    isFinal: !options.check,
  });
  if (problems.length > 0) throw new StopError(problems.join('\n'));
  if (options.check) return 0;
  if (run('git', ['status', '--porcelain'], '.') !== '')
    throw new StopError('the working tree has changes: commit them, or put them aside');

  const { version } = JSON.parse(read('package.json')) as { version: string };
  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE);
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    makeFiles(folder, version);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const sums = readdirSync(RELEASE).map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(RELEASE, file)))
      .digest('hex');
    return `${digest}  ${file}\n`;
  });
  writeFileSync(join(RELEASE, 'SHA256SUMS'), sums.join(''));
  console.log(sums.join('').trimEnd());
  return 0;
}

/** From what git has alone, so that nothing of this working tree gets into it. */
function makeFiles(folder: string, version: string): void {
  // npm calls what it lists by the folder's name.
  const service = join(folder, 'plant-store');
  mkdirSync(service);
  run('sh', ['-c', 'git archive HEAD | tar -x -C "$0"', service], '.');
  run('npm', ['ci', '--ignore-scripts', '--prefer-offline'], service);
  run('npm', ['run', 'build'], service);
  run('npm', ['pack', '--workspaces', '--pack-destination', RELEASE], service);

  for (const path of DEVELOPMENT) rmSync(join(service, path), { recursive: true });
  run('npm', ['prune', '--omit=dev', '--omit=peer', '--omit=optional'], service);
  // npm would miss what was pruned, and with `--omit` leaves out more than that.
  const unused = ['devDependencies', 'optionalDependencies'];
  run('npm', ['pkg', 'delete', ...unused, '--workspaces', '--include-workspace-root'], service);
  const sbom = run('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'], service);
  writeFileSync(join(RELEASE, `plant-store-${version}.cdx.json`), sbom);
  const parts = [
    'LICENSE',
    'README.md',
    'api',
    'deploy',
    'dist',
    'docs',
    'node_modules',
    'package.json',
    'packages',
  ];
  const paths = parts.map((part) => `plant-store/${part}`);
  run('tar', ['-czf', join(RELEASE, `plant-store-${version}.tgz`), '-C', folder, ...paths], '.');
}

function run(command: string, args: readonly string[], cwd: string): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: [...stdio],
    maxBuffer: 2 ** 26,
  });
}
