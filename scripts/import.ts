/** `npm run --silent import -- FILE.csv|FILE.ndjson`: creates a plant for each row, through the API. */
import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { readCommandLine } from './command-line.js';
import { createPlantClient } from './import/client.js';
import { importRows, type Tally } from './import/import-rows.js';
import { readOptions, USAGE, type Options } from './import/options.js';
import { startProgress, type Progress } from './progress.js';
import { reach } from './import/reach.js';
import { createRefusedFile, type RefusedFile } from './import/refused-file.js';
import { withRetries } from './import/retry.js';
import { openRowFile, type RowFile } from './import/rows.js';
import { InputError, StopError } from './stop-error.js';
import { howFar, summarise } from './import/summary.js';

const EXIT_ALL_IN = 0;
const EXIT_SOME_NOT_IN = 1;
/** Wrong usage, a file that can't be read, or a service that takes nothing from us. */
const EXIT_STOPPED = 2;

/** At most so often it is said that rows are sent again. */
const RETRY_NOTICE_MS = 2_000;

/** What the steps of one import share. */
interface Import {
  readonly options: Options;
  readonly rowFile: RowFile;
  readonly refusedFile: RefusedFile;
  readonly progress: Progress;
  readonly tally: Tally;
}

async function run(options: Options): Promise<number> {
  const rowFile = await openRowFile(options.file);
  const refusedFile = createRefusedFile(options.refused, options.file);
  const tally: Tally = { accepted: 0, refused: 0, failed: 0, sentAgain: 0, endByte: 0 };
  const startedAt = performance.now();
  const progress = startProgress(process.stderr, (ms) => howFar(tally, rowFile.bytes, ms));
  let isWhole: boolean | undefined;
  try {
    isWhole = await sendRows({ options, rowFile, refusedFile, progress, tally });
  } finally {
    progress.end();
    refusedFile.close();
    await rowFile.close();
    // Nothing to sum up where the first row was never reached.
    if (isWhole !== undefined || tally.endByte > 0) {
      console.log(summarise(tally, performance.now() - startedAt, refusedFile.path));
    }
  }
  return isWhole && tally.refused + tally.failed === 0 ? EXIT_ALL_IN : EXIT_SOME_NOT_IN;
}

/** Resolves with whether all rows have been read and tried. */
async function sendRows({ options, rowFile, refusedFile, progress, tally }: Import) {
  const { url, token, concurrency, tries } = options;
  const client = createPlantClient(url, token, concurrency);
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each row that waits to be sent again listens to it.
  setMaxListeners(0, signal);
  let noticedAt = -Infinity;
  /** Asked before the first row is sent, once the file has turned out to have one. */
  let reached: Promise<void> | undefined;

  function stop(why: string): void {
    if (!signal.aborted) progress.say(`stopping, once what is on its way is done: ${why}`);
    stopping.abort();
  }
  function onRetry(message: string): void {
    tally.sentAgain++;
    if (performance.now() - noticedAt < RETRY_NOTICE_MS) return;
    noticedAt = performance.now();
    progress.say(`sending again what has failed: ${message}`);
  }
  // Once: a second Ctrl-C does what it always does, and ends the process at once.
  process.once('SIGINT', () => {
    stop('interrupted');
  });

  try {
    await importRows(rowFile.read(progress.say), tally, {
      async send(plant) {
        await (reached ??= reach(url));
        return withRetries(() => client.create(plant), { tries, signal, onRetry });
      },
      list: refusedFile.add,
      concurrency,
      signal,
      stop,
    });
  } finally {
    client.close();
  }
  return !signal.aborted;
}

if (existsSync('.env')) process.loadEnvFile();
const options = readCommandLine(USAGE, readOptions);
try {
  process.exitCode = await run(options);
} catch (error) {
  if (!(error instanceof StopError)) throw error;
  console.error(error.message);
  if (error instanceof InputError) console.error(USAGE);
  process.exitCode = EXIT_STOPPED;
}
