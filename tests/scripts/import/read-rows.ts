import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '../../../scripts/import/row.js';
import { openRowFile } from '../../../scripts/import/rows.js';
import { createFolder } from '../../support/service.js';

/** All rows of a file of that name with that content. */
export async function readRows(name: string, content: string | Buffer): Promise<Row[]> {
  const folder = createFolder();
  await writeFile(join(folder, name), content);
  const file = await openRowFile(join(folder, name));
  const rows: Row[] = [];
  try {
    for await (const row of file.read(() => undefined)) rows.push(row);
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
  return rows;
}
