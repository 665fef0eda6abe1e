import { openSqliteWriter } from '../../scripts/plants/sqlite-writer.js';
import type { StoredPlant } from '../../scripts/plants/stored-plant.js';

const CREATED = { createdAt: '2026-11-22T10:15:20.123Z', createdBy: 'first token' };

/** What a copy of a store may get wrong, by their ids. */
export const ODD_PLANTS: readonly StoredPlant[] = [
  { id: -(2n ** 63n), name: 'the least id', ...CREATED },
  { id: -1n, name: 'no tag', ...CREATED },
  { id: 0n, name: 'the empty tag', tag: '', ...CREATED },
  { id: 1n, name: '', tag: 'no name', ...CREATED },
  { id: 2n, name: 'quote " comma , quotes ""', tag: '"', ...CREATED },
  { id: 3n, name: 'two\nlines', tag: 'two\r\nothers\r', ...CREATED },
  { id: 4n, name: ' spaces ', tag: '\t', ...CREATED },
  { id: 5n, name: '🌱 é e\u0301 \u2028 \ufeff \u0001 \u007f', tag: '\\n \\u0041', ...CREATED },
  { id: 6n, name: '=1+1', tag: 'NULL', createdAt: '2000-01-01T00:00:00.000Z', createdBy: 'a,"b"' },
  { id: 2n ** 53n, name: 'a double', ...CREATED },
  { id: 2n ** 53n + 1n, name: 'no double', ...CREATED },
  { id: 2n ** 63n - 1n, name: 'the greatest id', tag: 'x'.repeat(100_000), ...CREATED },
];

/** Plants that are nothing but many, by their ids. */
export function numberedPlants(count: number, first = 0): StoredPlant[] {
  return Array.from({ length: count }, (_, index) => ({
    id: BigInt(first + index),
    name: `plant ${first + index}`,
    ...CREATED,
  }));
}

/** Puts plants into the SQLite file of a store, which is made where it isn't there. */
export async function fillStore(path: string, plants: readonly StoredPlant[]): Promise<void> {
  const writer = openSqliteWriter(path);
  await writer.insert(plants);
  await writer.close();
}
