import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import { parseContract, readContract, type ContractDocument } from '../../src/index.js';
import { candidateRequests, createMockApp } from '../../src/mock/index.js';
import { listOperations } from '../../src/operation/operation.js';
import { contractOf } from '../support/fixture.js';

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

describe('a mock of a form whose fields have an encoding', () => {
  const list = { type: 'array', items: { type: 'string' }, minItems: 2 };
  const point = { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } };
  const properties = {
    ...{ commas: list, spaces: list, bars: list },
    ...{ pair: point, deep: point, json: { type: 'string' } },
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const encoding = {
    commas: { explode: false },
    spaces: { style: 'spaceDelimited', explode: false },
    bars: { style: 'pipeDelimited', explode: false },
    pair: { explode: false },
    deep: { style: 'deepObject', explode: true },
    json: { contentType: 'application/json' },
  };

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'takes what is made for it: %s',
    async (mediaType) => {
      const requestBody = { required: true, content: { [mediaType]: { schema, encoding } } };
      const responses = { '204': { description: 'Done.' } };
      const document = await parseContract(
        contractOf({ '/': { post: { operationId: 'post', requestBody, responses } } }),
      );
      const limits = { maxBodyBytes: 10_000, requestTimeoutMs: 10_000 };
      const app = await createMockApp({
        document,
        config: { basePath: '', trustProxy: false, ...limits },
      });
      const [operation] = listOperations(document);
      const [made] = operation ? [...candidateRequests(document, operation)] : [];

      const answer = await request(app)
        .post('/')
        .set('Content-Type', made?.contentType ?? '')
        .send(String(made?.body));

      expect(answer).toMatchObject({ status: 204 });
    },
  );
});
