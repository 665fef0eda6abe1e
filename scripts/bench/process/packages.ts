import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { BENCH } from './paths.js';

/** Installs what this folder's package.json asks for, where it isn't there yet. */
export function installPackages(): void {
  const { dependencies } = JSON.parse(readFileSync(`${BENCH}package.json`, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  if (Object.keys(dependencies).every((name) => existsSync(`${BENCH}node_modules/${name}`))) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', BENCH], { stdio: 'inherit' });
}
