import type { FileHandle } from 'node:fs/promises';
import { csvCell } from '../csv-cell.js';
import { readCsvRows } from '../import/csv-rows.js';
import { readNdjsonRows } from '../import/ndjson-rows.js';
import type { Row } from '../import/row.js';
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
    read: (file) => readCsvRows(file, 0, ignore),
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
