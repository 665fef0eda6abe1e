import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../command-line.js';
import { FORMATS, type FormatName } from './formats.js';

/** What the export is to do, checked. */
export interface Options {
  readonly file: string;
  readonly format: FormatName;
}

export const USAGE = `usage:
  export -- FILE.csv|FILE.ndjson [--format csv|ndjson]

  FILE      what to write; one that is there already is replaced once the new one is whole. Until then
            there is FILE.part. Run the same command again after an interruption, and it goes on where
            that ends.
  --format  of the file, where its name doesn't say

DATABASE_URL says which store, as for the service, which may go on meanwhile. The file has id, name, tag,
created_at and created_by of each plant, by the ids, and only its owner may read it.
Exit status: 0 the file is whole; 2 it isn't, for the reason that is said.`;

/** @throws UsageError or what parseArgs throws */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { format: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    throw new UsageError(`one file is written at a time; ${positionals.length} are named`);
  }
  const format = values.format ?? extname(file).slice(1).toLowerCase();
  if (!isFormat(format)) {
    throw new UsageError(
      values.format === undefined
        ? 'the file must be a .csv or an .ndjson, by its name, or --format say which'
        : '--format must be csv or ndjson',
    );
  }
  return { file, format };
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}
