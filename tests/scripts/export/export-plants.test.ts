import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportPlants, type Tally } from '../../../scripts/export/export-plants.js';
import { openSqliteSnapshot } from '../../../scripts/plants/sqlite-snapshot.js';
import { createFolder } from '../../support/service.js';
import { fillStore, numberedPlants, ODD_PLANTS } from '../../support/stored-plants.js';

let folder: string;

beforeEach(() => {
  folder = createFolder();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Exports from a part that is there, and returns what is then in the file. */
async function exportFrom(part: Buffer, name: string, format: 'csv' | 'ndjson') {
  const file = join(folder, name);
  writeFileSync(`${file}.part`, part);
  const snapshot = openSqliteSnapshot(join(folder, 'plants.db'));
  const tally: Tally = { kept: 0, written: 0 };
  await exportPlants(snapshot, { file, format }, tally);
  await snapshot.close();
  return { content: readFileSync(file), tally };
}

describe.each(['ndjson', 'csv'] as const)('an export to .%s', (format) => {
  it('goes on exactly wherever it was interrupted', async () => {
    const plants = ODD_PLANTS.slice(2, 9);
    await fillStore(join(folder, 'plants.db'), plants);
    const { content: whole } = await exportFrom(Buffer.alloc(0), 'whole', format);

    for (let bytes = 0; bytes <= whole.length; bytes++) {
      const { content, tally } = await exportFrom(whole.subarray(0, bytes), 'cut', format);

      expect(content.equals(whole) ? 'whole' : `different, cut after ${bytes}`).toBe('whole');
      expect(tally.kept + tally.written).toBe(plants.length);
    }
  });

  it('has each plant once that was there when it began, also where others came since', async () => {
    await fillStore(join(folder, 'plants.db'), numberedPlants(10, 100));
    const { content: whole } = await exportFrom(Buffer.alloc(0), 'whole', format);
    const half = whole.subarray(0, whole.indexOf('105,') + 20);
    await fillStore(join(folder, 'plants.db'), [
      ...numberedPlants(1, 1),
      ...numberedPlants(1, 999),
    ]);

    const { content, tally } = await exportFrom(half, 'half', format);

    const ids = [...content.toString().matchAll(/plant (\d+)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 999]);
    expect(tally).toEqual({ kept: 5, written: 6 });
    expect(existsSync(join(folder, 'half.part'))).toBe(false);
  });
});
