import { describe, expect, it } from '@jest/globals';

import { readRows } from './read-rows.js';

describe('rows of an NDJSON file', () => {
  it.each([
    ['{"id":9007199254740993,"name":"a"}', { id: 9007199254740993n, name: 'a' }],
    ['{"id":1e2,"name":"","tag":"t"}\r', { id: 100n, name: '', tag: 't' }],
    ['\ufeff{"name":"🌱\\n","id":1.0,"other":[]}', { id: 1n, name: '🌱\n' }],
  ])('are read exactly: %s', async (line, plant) => {
    const rows = await readRows('plants.ndjson', line);

    expect(rows).toEqual([{ line: 1, endByte: Buffer.byteLength(line), plant }]);
  });

  it.each([
    ['{"id":"1","name":"a"}', 'the id must be an integer', { id: '1', name: 'a' }],
    ['{"id":1.5,"name":"a"}', 'the id must be an integer', { id: 1.5, name: 'a' }],
    ['{"name":"a"}', 'the id must be an integer', { name: 'a' }],
    ['{"id":1}', 'the name must be a string', { id: 1 }],
    ['{"id":1,"name":"a","tag":null}', 'the tag must be a string', { id: 1, name: 'a', tag: null }],
    ['[1]', 'the line is not a JSON object', {}],
    ['{"id":1,"id":1,"name":"a"}', 'the line is not JSON: a member name occurs twice at /id', {}],
    ['"\xff"', 'the line is not UTF-8', {}],
    [`"${'x'.repeat(1_114_112)}"`, 'the line is longer than 1114112 bytes', {}],
  ])('are refused without those after them: %.40s', async (bad, problem, members) => {
    const content = Buffer.from(`{"id":1,"name":"a"}\n\n${bad}\n{"id":2,"name":"b"}\n`, 'latin1');

    const rows = await readRows('plants.ndjson', content);

    expect(rows).toMatchObject([
      { line: 1, plant: { id: 1n } },
      { line: 3, plant: undefined, problem, members },
      { line: 4, plant: { id: 2n } },
    ]);
  });
});
