import { describe, expect, it } from '@jest/globals';
import { diffContracts } from '../../../src/commands/diff/diff-contracts.js';
import { parseContract } from '../../../src/index.js';
import { operationRows } from './operation-rows.js';
import { bothSides, type Row } from './row.js';
import { schemaRows } from './schema-rows.js';

async function diff(row: Pick<Row, 'old' | 'new'>) {
  return diffContracts(await parseContract(row.old), await parseContract(row.new));
}

const rows = [...operationRows, ...schemaRows.flatMap(bothSides)];

describe('what a change means to clients', () => {
  it.each(rows)('$name: $expected', async (row) => {
    const changes = await diff(row);

    const worst = changes.some(({ breaks }) => breaks) ? 'breaks' : 'compatible';
    expect(changes.length === 0 ? 'none' : worst).toBe(row.expected);
    const telling = changes.filter(({ breaks }) => breaks === (row.expected === 'breaks'));
    expect(telling.map(({ location }) => location).filter((at) => at !== row.location)).toEqual([]);
  });

  it.each(rows)('$name: nothing, where both contracts are the old one', async (row) => {
    expect(await diff({ old: row.old, new: structuredClone(row.old) })).toEqual([]);
  });
});
