import type { Tally } from './import-rows.js';
import { format, rowsPerSecond, type HowFar } from '../progress.js';

/** How far an import is after that time, for its progress. */
export function howFar(tally: Readonly<Tally>, fileBytes: number, ms: number): HowFar {
  const { accepted, refused, failed, endByte } = tally;
  const rows = accepted + refused + failed;
  const troubles = [
    ...(refused > 0 ? [`${format(refused)} refused`] : []),
    ...(failed > 0 ? [`${format(failed)} failed`] : []),
  ];
  const rate = `${format(rowsPerSecond(rows, ms))} rows/s`;
  return {
    part: fileBytes === 0 ? 1 : endByte / fileBytes,
    text: [`${format(rows)} rows`, rate, ...troubles].join('  '),
  };
}

/** The closing words: what became of the rows, how fast, and where those are listed that aren't in. */
export function summarise(tally: Tally, ms: number, refusedPath: string): string {
  const { accepted, refused, failed, sentAgain } = tally;
  const rows = accepted + refused + failed;
  const rate = `${format(rowsPerSecond(rows, ms))} rows per second`;
  const lines = [
    `${format(rows)} rows in ${(ms / 1000).toFixed(1)} s, ${rate}`,
    `  ${format(accepted)} created or already there`,
    `  ${format(refused)} refused`,
    `  ${format(failed)} failed`,
  ];
  if (sentAgain > 0) lines.push(`  ${format(sentAgain)} times a row was sent again`);
  if (refused + failed > 0) lines.push(`The rows that are not in are listed in ${refusedPath}`);
  return lines.join('\n');
}
