/** `npm run --silent export -- FILE.csv|FILE.ndjson`: writes every plant of the store into a file. */
import { existsSync } from 'node:fs';
import { ConfigError, readSettings } from 'contract-server';
import { SETTINGS } from '../src/config.js';
import type { DatabaseUrl } from '../src/database-url.js';
import { readCommandLine, runCommand } from './command-line.js';
import { exportPlants, type Tally } from './export/export-plants.js';
import { readOptions, USAGE, type Options } from './export/options.js';
import { openSnapshot } from './plants/open.js';
import { format, rowsPerSecond, startProgress } from './progress.js';
import { StopError } from './stop-error.js';

async function run(options: Options): Promise<number> {
  const snapshot = await openSnapshot(readDatabaseUrl());
  const tally: Tally = { kept: 0, written: 0 };
  const startedAt = performance.now();
  const progress = startProgress(process.stderr, (ms) => {
    const rows = tally.kept + tally.written;
    const rate = format(rowsPerSecond(tally.written, ms));
    return { part: Math.min(1, rows / snapshot.count), text: `${format(rows)} plants  ${rate}/s` };
  });
  try {
    await exportPlants(snapshot, options, tally);
  } finally {
    progress.end();
    await snapshot.close();
  }
  console.log(summarise(options.file, tally, performance.now() - startedAt));
  return 0;
}

function summarise(file: string, { kept, written }: Tally, ms: number): string {
  const time = `${(ms / 1000).toFixed(1)} s, ${format(rowsPerSecond(written, ms))} plants per second`;
  const whole = `${format(kept + written)} plants are in ${file}`;
  return kept === 0
    ? `${whole}: ${time}`
    : `${whole}: ${format(kept)} from before, ${format(written)} new in ${time}`;
}

/** @throws StopError */
function readDatabaseUrl(): DatabaseUrl {
  if (existsSync('.env')) process.loadEnvFile();
  try {
    return readSettings({ databaseUrl: SETTINGS.databaseUrl }, process.env).databaseUrl;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new StopError(error.message, { cause: error });
  }
}

const options = readCommandLine(USAGE, readOptions);
await runCommand(() => run(options));
