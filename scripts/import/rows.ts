import { open, type FileHandle } from 'node:fs/promises';
import { readCsvRows } from './csv-rows.js';
import { readNdjsonRows } from './ndjson-rows.js';
import type { Row } from './row.js';
import { InputError } from '../stop-error.js';

/** An open file of rows. Whoever opened it closes it. */
export interface RowFile {
  readonly bytes: number;
  /**
   * Every row, each read only when it is asked for.
   * @param warn is told what is ignored
   * @throws InputError where the file as a whole can't be read
   */
  read(warn: (text: string) => void): AsyncGenerator<Row, void>;
  close(): Promise<void>;
}

/**
 * Opens a .csv or an .ndjson, told apart by its name.
 * @throws InputError where it isn't a file, or not one that may be read
 */
export async function openRowFile(path: string): Promise<RowFile> {
  const file = await open(path).catch((error: unknown) => refuse(path, error));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new InputError(`${path} is not a file`);
    const from = await findStart(file);
    const read = path.toLowerCase().endsWith('.csv') ? readCsvRows : readNdjsonRows;
    return { bytes: stat.size, read: (warn) => read(file, from, warn), close: () => file.close() };
  } catch (error) {
    await file.close();
    return refuse(path, error);
  }
}

/** Skips a byte order mark. */
async function findStart(file: FileHandle): Promise<number> {
  const { buffer } = await file.read(Buffer.alloc(3), 0, 3, 0);
  const start = buffer.toString('latin1');
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) {
    throw new InputError('the file is in UTF-16; save it as UTF-8');
  }
  return start === '\xef\xbb\xbf' ? 3 : 0;
}

function refuse(path: string, error: unknown): never {
  if (error instanceof InputError || !(error instanceof Error)) throw error;
  throw new InputError(`${path} can't be read: ${error.message}`, { cause: error });
}
