import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { expect, it } from '@jest/globals';
import { contractClient } from 'contract-testing';
import { loadContract } from 'contract-testing/generate';

const responses = { '204': { description: '' } };
const contract = {
  openapi: '3.1.0',
  info: { title: 'plants', version: '1' },
  paths: {
    '/plants/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses },
      put: { operationId: 'twice', responses },
    },
    '/plants': {
      get: { operationId: 'own', responses },
      post: { operationId: 'twice', responses },
    },
  },
};
const NAMES = ['GET /plants/{id}', 'PUT /plants/{id}', 'own', 'POST /plants'];

it('calls an operation without an operationId of its own by its method and path', async () => {
  const app = express().use((_req, res) => void res.status(204).end());
  const api = contractClient(app, { contract });

  expect(Object.keys(api)).toEqual([...NAMES, 'request', 'check']);
  expect(await api['GET /plants/{id}']?.({ params: { id: 1 } })).toMatchObject({ status: 204 });
});

it('makes requests for it under the same name', () => {
  const file = join(mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'names-')), 'api.json');
  writeFileSync(file, JSON.stringify(contract));

  const { operations } = loadContract(file);

  expect(operations.map(({ operationId }) => operationId)).toEqual(NAMES);
});
