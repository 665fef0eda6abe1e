import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

function run(script: string, ...args: string[]) {
  const tsx = ['--conditions=workspace', '--import', 'tsx'];
  return spawnSync(process.execPath, [...tsx, `scripts/${script}`, ...args], { encoding: 'utf8' });
}

describe('a script', () => {
  it.each([
    ['an option that it does not know', ['--round', '1'], "Unknown option '--round'"],
    ['a number out of range', ['--rounds', '0'], '--rounds must be a whole number from 1 to 100'],
    ['a report that is none', ['--from', 'package.json'], 'package.json is no file that'],
    [
      'a folder that is not there',
      ['--json', '/nowhere/x'],
      'nothing can be written into /nowhere',
    ],
  ])('exits with 2, the reason and the usage on %s', (_case, args, reason) => {
    const { status, stdout, stderr } = run('bench/run.ts', ...args);

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain('\nusage: npm run bench');
    expect(stderr).not.toContain('    at ');
  });

  it.each(['fuzz.ts', 'bench/scale.ts', 'bench/postgres.ts'])(
    'prints its usage on --help: %s',
    (script) => {
      const { status, stdout } = run(script, '--help');

      expect(status).toBe(0);
      expect(stdout).toMatch(/^usage: npm run /);
    },
  );
});
