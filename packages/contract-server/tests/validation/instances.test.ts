import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { contractOf, engineResponses, serveFixture, type AnyHandlers } from '../support/fixture.js';

/** More components than operations may reach without sharing an instance. */
const COMPONENTS = 120;
const OPERATIONS = [0, 40, 80];

const ref = (index: number) => ({
  anyOf: [
    { type: 'string', maxLength: 5 },
    { $ref: `#/components/schemas/c${index % COMPONENTS}` },
  ],
});

/** Each refers to others by an id or as a whole, as in payment APIs, and so at last to all. */
const schemas = Object.fromEntries(
  Array.from({ length: COMPONENTS }, (_, index) => [
    `c${index}`,
    {
      type: 'object',
      required: ['kind', 'token'],
      properties: {
        kind: { const: index },
        token: { type: 'string', readOnly: true },
        secret: { type: 'string', writeOnly: true },
        size: { type: 'integer', format: 'int64', default: 1 },
        next: ref(index + 1),
        far: ref(index * 7 + 3),
      },
    },
  ]),
);

const postOf = (index: number) => {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/c${index}` } } };
  return {
    operationId: `op${index}`,
    requestBody: { required: true, content },
    responses: { ...engineResponses, '200': { description: '', content } },
  };
};

const contract = contractOf(
  Object.fromEntries(OPERATIONS.map((index) => [`/${index}`, { post: postOf(index) }])),
  { components: { schemas } },
);

describe('operations whose schemas all reach each other', () => {
  const handlers: AnyHandlers = Object.fromEntries(
    OPERATIONS.map((index) => [
      `op${index}`,
      ({ body }) => ({ status: 200, body: { ...(body as object), token: 'a' } }),
    ]),
  );

  it.each([
    ['when first called', false],
    ['warmed up', true],
  ])('judge by their own schema and by those that it refers to, %s', async (_when, warmUp) => {
    const { app, faults } = await serveFixture(contract, handlers, { warmUp });
    const post = (index: number, body: object) => request(app).post(`/${index}`).send(body);

    const right = await post(80, { kind: 80, far: 'c3' });
    const other = await post(80, { kind: 40 });
    const deep = await post(0, { kind: 0, next: { kind: 1, next: { kind: 2, size: 1.5 } } });
    const hidden = await post(0, { kind: 0, token: 'a' });

    expect([right.status, other.status, deep.status, hidden.status]).toEqual([200, 400, 400, 400]);
    expect(right.body).toMatchObject({ kind: 80, size: 1, token: 'a' });
    expect(other.body).toEqual({ error: 40002, message: 'body /kind: must be equal to constant' });
    expect(deep.body).toMatchObject({
      message: expect.stringContaining('body /next/next/size: must be integer'),
    });
    expect(hidden.body).toEqual({ error: 40002, message: 'body /token: is read-only' });
    expect(faults).toEqual([]);
  });

  it('judge each direction by what travels in it', async () => {
    const { app, faults } = await serveFixture(contract, handlers);

    const response = await request(app)
      .post('/40')
      .send({ kind: 40, secret: 'a', next: { kind: 41, secret: 'b' } });

    expect(response.status).toBe(500);
    expect(faults[0]?.problems).toEqual(
      expect.arrayContaining([
        { pointer: '/body/secret', keyword: 'writeOnly', message: 'is write-only' },
        { pointer: '/body/next/token', keyword: 'required', message: 'is required' },
        { pointer: '/body/next/secret', keyword: 'writeOnly', message: 'is write-only' },
      ]),
    );
  });
});
