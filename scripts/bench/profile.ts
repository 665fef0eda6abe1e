/** `npm run bench:profile`: where a contestant's processor time goes, in microseconds per request. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCommandLine, readCount } from './command-line.js';
import { CONTESTANTS, OURS, type Contestant } from './contestants.js';
import { runLoad } from './load/round.js';
import { compilePrograms } from './process/compile.js';
import { installPackages } from './process/packages.js';
import { builtProgram } from './process/paths.js';
import { startServer } from './process/server.js';
import { selfTimes, type CpuProfile } from './profile/self-times.js';
import { textTable } from './report/table.js';

const USAGE = 'usage: npm run bench:profile -- [--only NAME] [--seconds 5] [--file FILE]';
const LOAD = { connections: 64, bodyBytes: 100, ids: 'ascending' } as const;
const WARM_UP_MS = 4000;
const WRITE_TIMEOUT_MS = 10_000;
const FUNCTIONS_SHOWN = 20;

/** Resolves with how many requests the profile covers. */
async function record(contestant: Contestant, file: string, measureMs: number): Promise<number> {
  rmSync(file, { force: true });
  const server = await startServer({
    ...contestant,
    args: ['--import', `./${builtProgram('profile/recorder')}`, ...contestant.args],
    env: { ...contestant.env, CPU_PROFILE: file },
  });
  try {
    const warmUp = await runLoad(server, { ...LOAD, warmUpMs: 0, measureMs: WARM_UP_MS });
    process.kill(server.pid, 'SIGUSR2');
    const earlierRequests = warmUp.answered;
    const { answered } = await runLoad(server, {
      ...LOAD,
      warmUpMs: 0,
      measureMs,
      earlierRequests,
    });
    process.kill(server.pid, 'SIGUSR2');
    const deadline = performance.now() + WRITE_TIMEOUT_MS;
    while (!existsSync(file)) {
      if (performance.now() > deadline) throw new Error(`${contestant.name} wrote no profile`);
      await sleep(20);
    }
    return answered;
  } finally {
    await server.stop();
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: OURS.name },
      seconds: { type: 'string', default: '5' },
      file: { type: 'string', default: 'scripts/bench/dist/bench.cpuprofile' },
    },
  });
  const contestant = CONTESTANTS.find(({ name }) => name === values.only);
  if (contestant === undefined) throw new Error(`there is no contestant ${values.only}`);
  const measureMs = readCount('seconds', values.seconds, 600) * 1000;
  return { contestant, measureMs, file: resolve(values.file) };
}

const { contestant, measureMs, file } = readCommandLine(USAGE, readOptions);
installPackages();
await compilePrograms();
const requests = await record(contestant, file, measureMs);
const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile; // written by V8
const { groups, functions, idleShare } = selfTimes(profile);
const total = [...groups.values()].reduce((sum, micros) => sum + micros, 0);
const rowOf = ([name, micros]: [string, number]): string[] => [
  name,
  (micros / requests).toFixed(2),
  `${((100 * micros) / total).toFixed(1)} %`,
];
console.log(
  `${contestant.name}: ${requests} requests, ${(total / requests).toFixed(1)} µs each on the main ` +
    `thread, the profiler's own and the wait for the disk included; idle ${(100 * idleShare).toFixed(0)} % of the time\n`,
);
console.log(textTable([['where', 'µs per request', 'share'], ...[...groups].map(rowOf)]));
const top = [...functions].slice(0, FUNCTIONS_SHOWN);
console.log(
  `\n${textTable([['function, by itself', 'µs per request', 'share'], ...top.map(rowOf)])}`,
);
console.log(`\nThe profile, for any browser's developer tools: ${file}`);
