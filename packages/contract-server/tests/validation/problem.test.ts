import request from 'supertest';
import { expect, it } from '@jest/globals';
import { parseContract, type ApiError } from '../../src/index.js';
import { errorMediaTypeOf } from '../../src/pipeline/status-check.js';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';

const PROBLEM = 'application/problem+json';
const problem = { description: '', content: { [PROBLEM]: { schema: { type: 'object' } } } };
const schema = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', minimum: 1 }, name: { type: 'string' } },
};
const post = {
  operationId: 'addThing',
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: { '204': { description: '' }, default: problem },
};
const contract = contractOf(
  { '/things': { post } },
  { 'x-unmatched-responses': { 204: { description: '' }, default: problem } },
);

/** As RFC 9457 §3 shows it. */
function errorBody({ status, message, problems }: ApiError): object {
  return {
    title: message,
    status,
    errors: problems.map(({ pointer, keyword, message: detail }) => ({
      pointer: pointer.replace(/^\/body/, '#'),
      keyword,
      detail,
    })),
  };
}

it('every problem of a request reaches the error body: where, which keyword, and in words', async () => {
  const { app } = await serveFixture(
    contract,
    { addThing: () => ({ status: 204 }) },
    { errorBody },
  );

  const response = await request(app).post('/things').send({ id: 0 });

  expect(response.headers['content-type']).toBe(PROBLEM);
  expect(JSON.parse(response.text)).toEqual({
    title: 'body /name: is required; body /id: must be >= 1',
    status: 400,
    errors: [
      { pointer: '#/name', keyword: 'required', detail: 'is required' },
      { pointer: '#/id', keyword: 'minimum', detail: 'must be >= 1' },
    ],
  });
});

it('a violation is answered with 422 where the service says so, and only a violation', async () => {
  const handlers = { addThing: () => ({ status: 204 }) };
  const { app } = await serveFixture(contract, handlers, { errorBody, violationStatus: 422 });

  const violation = await request(app).post('/things').send({ id: 0 });
  const malformed = await request(app).post('/things').type('json').send('{');

  expect([violation.status, malformed.status]).toEqual([422, 400]);
});

it('422 is then to be declared', async () => {
  const responses = { ...engineResponses, '204': { description: '' } };
  const undeclared = contractOf({ '/things': { post: { ...post, responses } } });

  await expect(
    serveFixture(undeclared, { addThing: () => ({ status: 204 }) }, { violationStatus: 422 }),
  ).rejects.toThrow(/addThing: may be answered with 422, which it doesn't declare/);
});

it('what is refused before it is a request has the media type that the contract declares', async () => {
  const other = contractOf({ '/things': { post } });

  expect(errorMediaTypeOf(await parseContract(contract))).toBe(PROBLEM);
  expect(errorMediaTypeOf(await parseContract(other))).toBe('application/json');
});
