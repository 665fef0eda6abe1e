import type { FileHandle } from 'node:fs/promises';
import { csvCell } from '../csv-cell.js';
import { readNdjsonRows } from '../import/ndjson-rows.js';
import type { Row } from '../import/row.js';
import { StopError } from '../stop-error.js';
import { jsonLine, type StoredPlant } from '../plants/stored-plant.js';

/** A format that `npm run import` takes back. */
export interface Format {
  readonly header: string;
  readonly write: (plant: StoredPlant) => string;
  readonly read: (file: FileHandle) => AsyncGenerator<Row, void>;
}

const ignore = (): void => undefined;

export const FORMATS = {
  ndjson: {
    header: '',
    write: (plant) => `${jsonLine(plant)}\n`,
    read: (file) => readNdjsonRows(file, 0),
  },
  csv: {
    header: 'id,name,tag,created_at,created_by\n',
    write: ({ id, name, tag, createdAt, createdBy }) =>
      `${id},${csvCell(name)},${csvCell(tag)},${csvCell(createdAt)},${csvCell(createdBy)}\n`,
    read: readCsv,
  },
} as const satisfies Record<string, Format>;

/** Only where a part is there: what is deployed has no csv-parse. */
async function* readCsv(file: FileHandle): AsyncGenerator<Row, void> {
  let rows;
  try {
    rows = await import('../import/csv-rows.js');
  } catch (cause) {
    throw new StopError(
      'the part of a .csv can be read only with the package csv-parse: install it, or remove the part to begin anew',
      { cause },
    );
  }
  yield* rows.readCsvRows(file, 0, ignore);
}

export type FormatName = keyof typeof FORMATS;
