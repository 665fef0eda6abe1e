import type { Snapshot } from '../plants/snapshot.js';
import { isSamePlant } from '../plants/stored-plant.js';
import { FORMATS } from './formats.js';
import type { Options } from './options.js';
import { openPartFile } from './part-file.js';

/** How far an export is. */
export interface Tally {
  /** How many plants an interrupted export had left in the file. */
  kept: number;
  /** How many have been written since. */
  written: number;
}

/**
 * Writes every plant of a snapshot into a file, which has its name only once it is whole. Where a part of
 * it is there, goes on after the last plant in it.
 * @param tally is kept up to date
 * @throws StopError where the store can't be read, or the file can't be written
 */
export async function exportPlants(
  snapshot: Snapshot,
  { file, format }: Options,
  tally: Tally,
): Promise<void> {
  const { write } = FORMATS[format];
  const part = await openPartFile(file, FORMATS[format], async (plant) => {
    const stored = await snapshot.find(plant.id);
    return stored !== undefined && isSamePlant(stored, plant);
  });
  try {
    tally.kept = part.rows;
    for await (const page of snapshot.pages(part.lastId)) {
      await part.append(page.map(write).join(''));
      tally.written += page.length;
    }
    await part.finish();
  } finally {
    await part.close();
  }
}
