import { closeSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { writeJson, type JsonValue } from 'contract-server/json';
import { csvCell } from '../csv-cell.js';
import type { Reason } from './client.js';
import type { Members } from './row.js';
import { StopError } from '../stop-error.js';

/** A row that didn't go in, and why. */
export interface RefusedRow extends Reason {
  readonly line: number;
  readonly members: Members;
}

/** The list of the rows that didn't go in, in the format of the file they are from. */
export interface RefusedFile {
  readonly path: string;
  /** @throws StopError where it can't be written */
  readonly add: (row: RefusedRow) => void;
  close(): void;
}

const COLUMNS = ['line', 'code', 'message', 'id', 'name', 'tag'] as const;

/**
 * Makes the list, in the format of the input; only once there is something to list, and then in place of an
 * older one. It is written row by row and at once, so that it is whole whatever happens.
 */
export function createRefusedFile(path: string, input: string): RefusedFile {
  const isCsv = extname(input).toLowerCase() === '.csv';
  let descriptor: number | undefined;

  function write(text: string): void {
    try {
      if (descriptor === undefined) {
        descriptor = openSync(path, 'w');
        if (isCsv) writeSync(descriptor, `${COLUMNS.join(',')}\n`);
      }
      writeSync(descriptor, text);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new StopError(`${path} can't be written: ${why}`, { cause: error });
    }
  }

  return {
    path,
    add({ line, code, message, members }) {
      const row = { line, code, message, ...members };
      write(`${isCsv ? COLUMNS.map((column) => toCell(row[column])).join(',') : writeJson(row)}\n`);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

function toCell(value: JsonValue | undefined): string {
  return csvCell(typeof value === 'string' || value === undefined ? value : writeJson(value));
}
