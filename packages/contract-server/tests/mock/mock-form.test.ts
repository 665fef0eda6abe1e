import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import { readContract, type ContractDocument } from '../../src/index.js';
import { candidateRequests, createMockApp } from '../../src/mock/index.js';
import { listOperations } from '../../src/operation/operation.js';

const CONTRACT = fileURLToPath(new URL('../../../../tests/fixtures/uploads.yaml', import.meta.url));

describe('a mock of a contract with forms', () => {
  let app: Express;
  let document: ContractDocument;
  beforeAll(async () => {
    document = await readContract(CONTRACT);
    const limits = { maxBodyBytes: 10_000, requestTimeoutMs: 10_000 };
    app = await createMockApp({ document, config: { basePath: '', trustProxy: false, ...limits } });
  });

  it.each(['/profiles', '/videos'])('takes the form that is made for %s', async (path) => {
    const [operation] = listOperations(document).filter((each) => each.pathTemplate === path);
    const made = operation && [...candidateRequests(document, operation)].slice(0, 3);

    expect(made).toHaveLength(3);
    for (const { contentType = '', body } of made ?? []) {
      const answer = await request(app)
        .post(path)
        .set('Content-Type', contentType)
        .send(String(body));
      expect(answer.status).toBe(204);
    }
  });

  it.each([
    ['/profiles', 'application/x-www-form-urlencoded', 'id=1'],
    ['/videos', 'multipart/form-data; boundary=b', '--b--'],
  ])('refuses one that is wrong for %s', async (path, contentType, body) => {
    const answer = await request(app).post(path).set('Content-Type', contentType).send(body);

    expect(answer.status).toBe(400);
  });
});
