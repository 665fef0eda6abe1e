import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { CsvError } from 'csv-parse';
import { MAX_ROW_BYTES, readLines } from './bytes.js';
import { readCsvRecords, type CsvRecord } from './csv-records.js';
import type { Row } from './row.js';
import { InputError } from '../stop-error.js';

/** Which cell holds what. */
interface Columns {
  readonly count: number;
  readonly id: number;
  readonly name: number;
  /** -1 where the file has no such column. */
  readonly tag: number;
}

/**
 * Reads the rows of a CSV file. A row that isn't CSV is a row with a problem, and reading goes on
 * with the line after the one it begins in: a stray quote costs its own row and not those after it.
 * @throws InputError where the header isn't right
 */
export async function* readCsvRows(
  file: FileHandle,
  from: number,
  warn: (text: string) => void,
): AsyncGenerator<Row, void> {
  let columns: Columns | undefined;
  let line = 1;
  for (let at = from; ;) {
    try {
      for await (const record of readCsvRecords(file, at, line)) {
        at = record.endByte;
        line = record.endLine + 1;
        if (columns === undefined) columns = readHeader(record, warn);
        else yield toRow(record, columns);
      }
      if (columns === undefined) throw new InputError('the file has no header');
      return;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      if (columns === undefined) throw new InputError(`the header: ${explain(error)}`);
      const row = await skipRow(file, at, line, explain(error));
      yield row;
      at = row.endByte;
      line = row.line + 1;
    }
  }
}

function readHeader({ cells }: CsvRecord, warn: (text: string) => void): Columns {
  const names = cells.map((cell = '') => (decode(cell) ?? cell).trim());
  for (const name of ['id', 'name', 'tag']) {
    const count = names.filter((other) => other === name).length;
    if (count === 0 && name !== 'tag') throw new InputError(`the file has no column "${name}"`);
    if (count > 1) throw new InputError(`the file has ${count} columns "${name}"`);
  }
  const others = names.filter((name) => !['id', 'name', 'tag'].includes(name));
  if (others.length > 0) warn(`ignoring the columns ${JSON.stringify(others)}`);
  return {
    count: names.length,
    id: names.indexOf('id'),
    name: names.indexOf('name'),
    tag: names.indexOf('tag'),
  };
}

function toRow({ cells, startLine, endByte }: CsvRecord, columns: Columns): Row {
  const position = { line: startLine, endByte };
  if (cells.length !== columns.count) {
    const problem = `the row has ${cells.length} columns; the header has ${columns.count}`;
    return { ...position, plant: undefined, problem, members: {} };
  }
  const id = decode(cells[columns.id] ?? '');
  const name = decode(cells[columns.name] ?? '');
  const tag = decode(cells[columns.tag] ?? '');
  if (id === undefined || name === undefined || tag === undefined) {
    return { ...position, plant: undefined, problem: 'the row is not UTF-8', members: {} };
  }
  const members = { id, name, ...(cells[columns.tag] !== undefined && { tag }) };
  if (!INTEGER.test(id)) {
    const problem = 'the id must be an integer of at most 40 digits, such as 11646167';
    return { ...position, plant: undefined, problem, members };
  }
  return { ...position, plant: { ...members, id: BigInt(id) } };
}

/** Far more digits than the service takes, which is to be the judge; yet not more than cost nothing. */
const INTEGER = /^-?\d{1,40}$/;

/** The text of a cell's bytes; undefined where they aren't UTF-8. */
function decode(cell: string): string | undefined {
  if (!/[\x80-\xff]/.test(cell)) return cell;
  const bytes = Buffer.from(cell, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

async function skipRow(file: FileHandle, from: number, line: number, problem: string) {
  let skipped = { line: line - 1, endByte: from };
  for await (const { bytes, endByte } of readLines(file, from)) {
    skipped = { line: skipped.line + 1, endByte };
    if (bytes?.toString('latin1').trim() !== '') break;
  }
  return { ...skipped, plant: undefined, problem, members: {} };
}

function explain({ code }: CsvError): string {
  switch (code) {
    case 'INVALID_OPENING_QUOTE':
      return 'a cell has a quote but does not begin with one';
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'text follows the closing quote of a cell, or a quote is never closed';
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is never closed';
    case 'CSV_MAX_RECORD_SIZE':
      return `the row is longer than ${MAX_ROW_BYTES} bytes, or a quote is never closed`;
    default:
      return `the row is not CSV: ${code}`;
  }
}
