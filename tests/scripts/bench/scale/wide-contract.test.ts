import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeWideContract } from '../../../../scripts/bench/scale/wide-contract.js';
import { readContract } from 'contract-server';
import { listOperations } from 'contract-server/contract';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-test-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('writeWideContract', () => {
  it('writes a valid contract of so many operations, the measured one last', async () => {
    const file = join(folder, 'wide.json');

    writeWideContract(file, 4);

    const operations = listOperations(await readContract(file));
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      'createPlant1',
      'createPlant2',
      'createPlant3',
      'createPlant',
    ]);
  });

  it('gives each operation schemas of its own', async () => {
    const file = join(folder, 'own.json');

    writeWideContract(file, 2);

    const { components } = (await readContract(file)).root;
    expect(Object.keys(components?.schemas ?? {}).sort()).toEqual([
      'Error',
      'NewPlant',
      'NewPlant1',
      'Plant',
      'Plant1',
    ]);
  });
});
