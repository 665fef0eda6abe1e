import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../scripts/import/row.js';
import { readRows } from './read-rows.js';

function inBrief(row: Row) {
  return row.plant === undefined
    ? [row.line, row.problem]
    : [row.line, row.plant.id, row.plant.name];
}

describe('rows of a CSV file', () => {
  it.each([
    ['LF', 'id,name\n1,a\n\n2,"b\nc"\n3,d'],
    ['CRLF', 'id,name\r\n1,a\r\n\r\n2,"b\nc"\r\n3,d\r\n'],
    ['both', 'id,name\r\n1,a\n\r\n2,"b\nc"\n3,d\r\n'],
    ['a byte order mark', '\ufeffid,name\n1,a\n\n2,"b\nc"\n3,d\n'],
  ])('begin at the line they begin at, with %s', async (_case, content) => {
    const rows = await readRows('plants.csv', content);

    expect(rows.map(inBrief)).toEqual([
      [2, 1n, 'a'],
      [4, 2n, 'b\nc'],
      [6, 3n, 'd'],
    ]);
    expect(rows.at(-1)?.endByte).toBe(Buffer.byteLength(content));
  });

  it('are counted right after carriage returns inside cells', async () => {
    const rows = await readRows('plants.csv', 'id,name\r\n1,"a\r\nb"\r\n2,"c\rd"\r\n3,e\r\n');

    expect(rows.map(({ line }) => line)).toEqual([2, 4, 5]);
  });

  it.each([
    ['a quote in the middle of a cell', '1,a"b', 'a cell has a quote but does not begin with one'],
    [
      'text after a closing quote',
      '"1"x,a',
      'text follows the closing quote of a cell, or a quote is never closed',
    ],
    ['a quote that is never closed', '1,"a', 'a quote is never closed'],
    ['too many columns', '1,a,b', 'the row has 3 columns; the header has 2'],
    ['too few columns', '1', 'the row has 1 columns; the header has 2'],
    ['no number', '0x1,a', 'the id must be an integer of at most 40 digits, such as 11646167'],
    [
      'endless digits',
      `${'9'.repeat(41)},a`,
      'the id must be an integer of at most 40 digits, such as 11646167',
    ],
  ])('with %s are refused without those after them', async (_case, bad, problem) => {
    const rows = await readRows('plants.csv', `id,name\n1,before\n${bad}\n2,after\n3,last\n`);

    expect(rows.map(inBrief)).toEqual([
      [2, 1n, 'before'],
      [3, problem],
      [4, 2n, 'after'],
      [5, 3n, 'last'],
    ]);
  });

  it('that are not UTF-8 are refused, not altered', async () => {
    const latin1 = Buffer.from('id,name\n1,caf\xe9\n', 'latin1');

    const rows = await readRows('plants.csv', Buffer.concat([latin1, Buffer.from('2,café\n')]));

    expect(rows.map(inBrief)).toEqual([
      [2, 'the row is not UTF-8'],
      [3, 2n, 'café'],
    ]);
  });

  it('are all read, over many chunks, with a quote open for longer than a row may be', async () => {
    const numbers = Array.from({ length: 60_000 }, (_, index) => index);
    const lines = numbers.map((n) => (n === 1000 ? `${n},"open` : `${n},the plant 🌱 ${n}`));

    const rows = await readRows('plants.csv', `id,name\n${lines.join('\n')}\n`);

    expect(rows.length).toBe(60_000);
    expect(rows.filter(({ plant }) => plant === undefined).map(inBrief)).toEqual([
      [1002, 'the row is longer than 1114112 bytes, or a quote is never closed'],
    ]);
    expect(rows.every(({ line, plant }) => BigInt(line - 2) === (plant?.id ?? 1000n))).toBe(true);
    expect(rows.at(-1)).toMatchObject({ line: 60_001, plant: { name: 'the plant 🌱 59999' } });
  });
});
