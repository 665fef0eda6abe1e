import { describe, expect, it } from '@jest/globals';
import { diffContracts } from '../../../src/commands/diff/diff-contracts.js';
import { parseContract } from '../../../src/index.js';
import { accessRows } from './access-rows.js';
import { callRows } from './call-rows.js';
import { messageRows } from './message-rows.js';
import { bothSides, type Row } from './row.js';
import { schemaRows } from './schema-rows.js';
import { versionRows } from './version-rows.js';

/** As if read from a file: there, no two places have the same object. */
const asRead = (contract: object) => parseContract(JSON.parse(JSON.stringify(contract)));

async function diff(row: Pick<Row, 'old' | 'new'>) {
  return diffContracts(await asRead(row.old), await asRead(row.new));
}

const reasoned = [...callRows, ...accessRows, ...messageRows];
const rows = [...reasoned, ...versionRows, ...schemaRows.flatMap(bothSides)];

describe('what a change means to clients', () => {
  it.each(rows)('$name: $expected, since $because', async (row) => {
    const changes = await diff(row);

    const worst = changes.some(({ breaks }) => breaks) ? 'breaks' : 'compatible';
    expect(changes.length === 0 ? 'none' : worst).toBe(row.expected);
    const telling = changes.filter(({ breaks }) => breaks === (row.expected === 'breaks'));
    const places = telling.map(({ definition, effects }) => definition ?? effects[0].location);
    expect(places.filter((at) => at !== row.location)).toEqual([]);
  });

  it.each(reasoned.filter(({ expected }) => expected !== 'none'))(
    '$name: the report says that $because',
    async (row) => {
      const changes = await diff(row);

      expect(changes.flatMap(({ effects }) => effects.map(({ why }) => why))).toContain(
        row.because,
      );
    },
  );

  it.each(rows)('$name: nothing, where both contracts are the old one', async (row) => {
    expect(await diff({ old: row.old, new: row.old })).toEqual([]);
  });
});
