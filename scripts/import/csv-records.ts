import type { FileHandle } from 'node:fs/promises';
import { parse, type CsvError, type Parser } from 'csv-parse';
import { MAX_ROW_BYTES, readChunks } from './bytes.js';

type Cell = string | undefined;

/** One record of a CSV file (RFC 4180 §2). */
export interface CsvRecord {
  /**
   * A byte a character, so that bytes which aren't UTF-8 can still be told; undefined where there is
   * nothing between two commas, not even quotes.
   */
  readonly cells: readonly Cell[];
  readonly startLine: number;
  readonly endLine: number;
  readonly endByte: number;
}

/**
 * Reads the records from a place on, one chunk of the file at a time.
 * @param startLine the number of the line at that place
 * @throws CsvError at the first record that isn't CSV, after all before it have been read
 */
export async function* readCsvRecords(
  file: FileHandle,
  from: number,
  startLine: number,
): AsyncGenerator<CsvRecord, void> {
  let records: CsvRecord[] = [];
  let returns = 0;
  const parser = parse({
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    cast: (cell, { quoting }) => (cell === '' && !quoting ? undefined : cell),
    // Taken here and not from the stream, which drops what it has read when it meets an error.
    on_record: (cells: Cell[], { lines, bytes }) => {
      // csv-parse counts a carriage return inside a cell as one more line; editors don't.
      returns += countOf('\r', cells);
      const endLine = startLine - 1 + lines - returns;
      const endByte = from + bytes;
      records.push({ cells, startLine: endLine - countOf('\n', cells), endLine, endByte });
      return null;
    },
  });
  // Each error is the result of a write, too.
  parser.on('error', () => undefined);
  for await (const chunk of readChunks(file, from)) {
    const error = await write(parser, chunk);
    yield* records;
    records = [];
    if (error !== undefined) throw error;
  }
  const error = await end(parser);
  yield* records;
  if (error !== undefined) throw error;
}

function countOf(character: string, cells: readonly Cell[]): number {
  let count = 0;
  for (const cell of cells) {
    if (cell === undefined) continue;
    for (let at = cell.indexOf(character); at !== -1; at = cell.indexOf(character, at + 1)) count++;
  }
  return count;
}

type ParseError = CsvError | Error | undefined;

function write(parser: Parser, chunk: Buffer): Promise<ParseError> {
  return new Promise((resolve) => {
    parser.write(chunk, (error) => {
      resolve(error ?? undefined);
    });
  });
}

function end(parser: Parser): Promise<ParseError> {
  return new Promise((resolve) => {
    parser.once('error', resolve).end(() => {
      resolve(undefined);
    });
  });
}
