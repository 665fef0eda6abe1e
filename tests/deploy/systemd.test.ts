import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { describeWith } from '../hostile/tool.js';
import { plantsClient } from '../support/contract.js';
import { eventually } from '../support/eventually.js';
import { createFolder, serviceEnv } from '../support/service.js';
import { findFreePort } from '../postgres/support/cluster.js';
import { childrenOf, createServerFolder } from '../postgres/support/commands.js';
import { run } from './command.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const UNIT = `${ROOT}deploy/systemd/plant-store.service`;
/** On systemd's scale from 0 to 100, where a service without any protection has 96. */
const EXPOSURE_AT_MOST = 15;
/** A user without rights, as systemd makes one. */
const USER = 65_532;
const READY_WITHIN_MS = 20_000;

const unit = readFileSync(UNIT, 'utf8');

describeWith('systemd-analyze')('deploy/systemd/plant-store.service', () => {
  it('is a unit without mistakes', () => {
    // Node is looked for where the unit has it.
    const copy = `${createFolder()}/plant-store.service`;
    writeFileSync(copy, unit.replace('/usr/bin/node', process.execPath));

    expect(run('systemd-analyze', ['verify', '--man=no', copy])).toEqual({ status: 0, output: '' });
  });

  it('protects the rest of the system from the service', () => {
    const { status, output } = run('systemd-analyze', [
      ...['security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE_AT_MOST}`, UNIT],
    ]);

    console.log(output.trim().split('\n').at(-1));
    expect(status).toBe(0);
  });

  it('forbids no system call that the service makes, but one that it can do without', async () => {
    const allowed = allowedCalls();
    expect(allowed).toContain('read');
    expect(allowed).not.toContain('mount');

    const made = await tracedCalls();

    expect(made).toContain('fsync');
    // V8 asks for a key for the memory that it writes machine code to, and goes on without one.
    expect(made.filter((call) => !allowed.includes(call))).toEqual(['pkey_alloc']);
  });
});

/** The system calls of the unit's SystemCallFilter, by the groups that systemd has. */
function allowedCalls(): string[] {
  const groups = new Map<string, string[]>();
  for (const line of run('systemd-analyze', ['syscall-filter', '--no-pager']).output.split('\n')) {
    if (line.startsWith('@')) groups.set(line, []);
    else if (/^ +[@a-z]/.test(line)) [...groups.values()].at(-1)?.push(line.trim());
  }
  const callsOf = (name: string): string[] => groups.get(name)?.flatMap(callsOf) ?? [name];
  let allowed: string[] = [];
  for (const [, isWithout, list = ''] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    const calls = list.split(' ').flatMap(callsOf);
    allowed = isWithout ? allowed.filter((call) => !calls.includes(call)) : [...allowed, ...calls];
  }
  return allowed;
}

/** The system calls that the service makes from its start, through a create, to its end. */
async function tracedCalls(): Promise<string[]> {
  // Not below the tests' own folder, which nobody else may enter.
  const folder = createServerFolder();
  chownSync(folder, USER, USER);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    'setpriv',
    [
      ...[`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'],
      ...['strace', '-f', '-qq', '-o', `${folder}/calls`, process.execPath, 'dist/src/main.js'],
    ],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...serviceEnv(folder), PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const response = () => fetch(`${url}/readyz`).catch(() => undefined);
  await eventually(
    async () => ((await response())?.ok === true ? true : undefined),
    READY_WITHIN_MS,
  );
  const token = readFileSync(`${folder}/first-token`, 'utf8').trim();
  const api = plantsClient(url, { headers: { Authorization: `Bearer ${token}` } });
  expect((await api.createPlant({ body: { id: 1n, name: 'fern' } })).status).toBe(200);
  // strace itself takes no signals while it waits for what it traces.
  for (const pid of childrenOf(child)) process.kill(pid, 'SIGTERM');
  await once(child, 'exit');
  const calls = readFileSync(`${folder}/calls`, 'utf8').matchAll(/^\d+ +([a-z_0-9]+)\(/gm);
  rmSync(folder, { recursive: true });
  return [...new Set([...calls].map(([, call = '']) => call))];
}
