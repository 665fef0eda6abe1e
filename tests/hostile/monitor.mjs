// Loaded into the service by `node --import`: on SIGUSR2 it writes what the process uses, and the delay
// of its event loop since the last time.
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const { MONITOR_FILE } = process.env;
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// What is garbage by then is no leak. NODE_OPTIONS takes no --expose-gc.
setFlagsFromString('--expose-gc');
const collectGarbage = new Script('gc()');

process.on('SIGUSR2', () => {
  const { rss } = process.memoryUsage();
  const [delayP50Ms, delayP99Ms] = [50, 99].map((percent) => delay.percentile(percent) / 1e6);
  const delayMaxMs = delay.max / 1e6;
  collectGarbage.runInNewContext();
  const { heapUsed, external } = process.memoryUsage();
  delay.reset();
  const figures = {
    rssMb: rss / 1e6,
    heapMb: (heapUsed + external) / 1e6,
    descriptors: readdirSync('/proc/self/fd').length,
    delayP50Ms,
    delayP99Ms,
    delayMaxMs,
  };
  writeFileSync(`${MONITOR_FILE}.new`, JSON.stringify(figures));
  renameSync(`${MONITOR_FILE}.new`, MONITOR_FILE);
});
