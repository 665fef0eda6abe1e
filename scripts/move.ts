/** `npm run --silent move -- --from STORE --to STORE`: copies every plant of a store into another one. */
import { existsSync } from 'node:fs';
import { readCommandLine, runCommand } from './command-line.js';
import { copyMissing, type Pass } from './move/copy-missing.js';
import { readOptions, USAGE, type Options } from './move/options.js';
import { conclude, describe } from './move/report.js';
import { openPlantWriter, openSnapshot } from './plants/open.js';
import type { PlantWriter } from './plants/plant-writer.js';
import { format, rowsPerSecond, startProgress } from './progress.js';

/** The first copies; another finds what came meanwhile. So many in all, where plants come all the time. */
const MAX_PASSES = 4;

async function run(options: Options): Promise<number> {
  // Looked for before the target is made.
  await (await openSnapshot(options.from)).close();
  const writer = await openPlantWriter(options.to);
  try {
    for (let count = 1; ; count++) {
      const startedAt = performance.now();
      const pass = await runPass(options, writer);
      const seconds = (performance.now() - startedAt) / 1000;
      console.log(describe(pass, count, seconds));
      if (pass.copied > 0 && count < MAX_PASSES) continue;
      await writer.confirm();
      const { isSame, text } = conclude(pass, seconds);
      console.log(text);
      return isSame ? 0 : 1;
    }
  } finally {
    await writer.close();
  }
}

async function runPass({ from, to }: Options, writer: PlantWriter): Promise<Pass> {
  const source = await openSnapshot(from);
  let target;
  let rows = 0;
  const progress = startProgress(process.stderr, (ms) => ({
    part: Math.min(1, rows / source.count),
    text: `${format(rows)} plants  ${format(rowsPerSecond(rows, ms))}/s`,
  }));
  try {
    target = await openSnapshot(to);
    return await copyMissing(source, target, writer, (count) => (rows += count));
  } finally {
    progress.end();
    await target?.close();
    await source.close();
  }
}

// It may have PGPASSWORD, which is no part of a URL.
if (existsSync('.env')) process.loadEnvFile();
const options = readCommandLine(USAGE, readOptions);
await runCommand(() => run(options));
