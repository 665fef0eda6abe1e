import { constants } from 'node:fs';
import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import type { Row } from '../import/row.js';
import { InputError, StopError } from '../stop-error.js';
import type { Format } from './formats.js';

type Plant = NonNullable<Row['plant']>;

/** What there is of an export, under a name of its own until it is whole. */
export interface PartFile {
  /** How many plants an interrupted export has left in it, and the id of the last of them. */
  readonly rows: number;
  readonly lastId: bigint | undefined;
  /** @throws StopError where it can't be written */
  append(text: string): Promise<void>;
  /**
   * Gives it the name of the export, once it is on disk.
   * @throws StopError
   */
  finish(): Promise<void>;
  close(): Promise<void>;
}

const LINE_FEED = 0x0a;

/**
 * Opens the part of an export, and creates it where it isn't there, private to the user as the store is.
 * A row that an interrupted export has begun and not ended is cut off.
 * @param isStored tells whether a plant is one of the store that is exported
 * @throws StopError where the part is of another store, or can't be written
 */
export async function openPartFile(
  path: string,
  format: Format,
  isStored: (plant: Plant) => Promise<boolean>,
): Promise<PartFile> {
  const partPath = `${path}.part`;
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StopError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new StopError(`${partPath} can't be written: ${why}`, { cause: error });
    }
  }

  if (!((await stat(path).catch(() => undefined))?.isFile() ?? true)) {
    throw new StopError(`${path} is there already, and is not a file`);
  }
  const file = await attempt(() => open(partPath, constants.O_RDWR | constants.O_CREAT, 0o600));
  let position = 0;

  async function append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    // A write may be short, as it is where the disk becomes full; the next one then says why.
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position);
      at += bytesWritten;
      position += bytesWritten;
    }
  }
  async function goOn() {
    const { first, last, rows, endByte } = await readPart(file, format);
    for (const plant of [first, last]) {
      if (plant === undefined || (await isStored(plant))) continue;
      throw new StopError(`${partPath} is not of this store: remove it, or export to another name`);
    }
    position = endByte;
    await file.truncate(position);
    if (position === 0) await append(format.header);
    return { rows, lastId: last?.id };
  }

  try {
    return {
      ...(await attempt(goOn)),
      append: (text) => attempt(() => append(text)),
      finish: () =>
        attempt(async () => {
          await file.sync();
          await rename(partPath, path);
        }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads the rows that are whole, up to the first that isn't. */
async function readPart(file: FileHandle, format: Format) {
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
  const isLastEnded = buffer[0] === LINE_FEED;
  let first: Plant | undefined;
  let last: Plant | undefined;
  let rows = 0;
  let endByte = 0;
  if (size === 0) return { first, last, rows, endByte };
  try {
    for await (const row of format.read(file)) {
      if (row.plant === undefined || (row.endByte === size && !isLastEnded)) break;
      first ??= row.plant;
      last = row.plant;
      rows++;
      endByte = row.endByte;
    }
  } catch (error) {
    // Not even the header is whole.
    if (!(error instanceof InputError)) throw error;
  }
  return { first, last, rows, endByte };
}
