import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { contractClient, type ContractClient } from 'contract-testing';
import { pino } from 'pino';
import request from 'supertest';
import { ContractError, parseContract, readContract } from '../../src/index.js';
import { createMockApp } from '../../src/mock/index.js';

const CONTRACT = fileURLToPath(
  new URL('../../../../tests/fixtures/train-travel.yaml', import.meta.url),
);
type Operations = Record<'listStations' | 'getBooking' | 'payBooking' | 'cancelBooking', unknown>;
const ID = '123e4567-e89b-42d3-a456-426614174000';
const config = {
  basePath: '',
  maxBodyBytes: 10_000,
  requestTimeoutMs: 10_000,
  trustProxy: false as const,
};
const options = { config, logger: pino({ level: 'silent' }), isStopping: () => false };

describe('a mock of a contract', () => {
  let api: ContractClient<Operations>;
  const headers = { Authorization: 'Bearer anything' };

  beforeAll(async () => {
    const document = await readContract(CONTRACT);
    const handlers = { cancelBooking: () => ({ status: 404, body: { title: 'x', status: 404 } }) };
    const app = await createMockApp({ ...options, document, handlers });
    api = contractClient(app, { contract: CONTRACT, headers });
  });

  it('answers from the examples of the contract', async () => {
    const { status, body } = await api.listStations({});

    expect({ status, body }).toEqual({ status: 200, body: { data: [], links: {} } });
  });

  it('answers with made values where there is no example', async () => {
    const params = { bookingId: ID };
    const body = {
      amount: 1,
      currency: 'eur',
      source: { object: 'card', number: '4242 4242 4242', cvc: '1' },
    };

    expect((await api.getBooking({ params })).status).toBe(200);
    expect((await api.payBooking({ params, body })).status).toBe(200);
  });

  it('answers by a handler where there is one', async () => {
    expect((await api.cancelBooking({ params: { bookingId: ID } })).status).toBe(404);
  });

  it('refuses a request that breaks the contract, in the error shape of the contract', async () => {
    const { status, body } = await api.listStations({ query: { page: 0 } });

    expect(status).toBe(400);
    expect(body).toMatchObject({ title: 'Bad Request', status: 400 });
  });

  it.each(['', 'Bearer', 'Basic x'])('refuses the credentials %j', async (credentials) => {
    const { status } = await api.request.get('/stations').set('Authorization', credentials);

    expect(status).toBe(401);
  });

  it('refuses a handler of an operation that there is not', async () => {
    const document = await readContract(CONTRACT);

    await expect(
      createMockApp({ ...options, document, handlers: { fly: () => ({ status: 200 }) } }),
    ).rejects.toThrow(ContractError);
  });
});

describe('a mock of a contract with errors of several shapes', () => {
  it('answers each operation’s errors in the shape that it declares', async () => {
    const text = { type: 'string' };
    const number = { in: 'query', name: 'n', schema: { type: 'integer' } };
    const get = (schema: object) => ({
      get: {
        parameters: [number],
        responses: {
          '200': { description: '' },
          '400': { description: '', content: { 'application/json': { schema } } },
        },
      },
    });
    const problem = { type: 'object', required: ['title'], properties: { title: text } };
    const fault = {
      type: 'object',
      required: ['fault'],
      properties: { fault: { type: 'string', enum: ['bad', 'worse'] } },
      additionalProperties: false,
    };
    const message = { type: 'object', required: ['message'], properties: { message: text } };
    const document = await parseContract({
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: { '/a': get(problem), '/b': get(problem), '/c': get(message), '/d': get(fault) },
    });
    const app = await createMockApp({ ...options, document });

    const bodies = await Promise.all(
      ['/a', '/c', '/d'].map(
        async (path) => (await request(app).get(path).query('n=x')).body as unknown,
      ),
    );

    const told = 'query /n: must be integer';
    expect(bodies).toEqual([{ title: told }, { message: told }, { fault: 'bad' }]);
  });
});

describe('a mock of a contract with streams', () => {
  it('answers with items that keep the contract', async () => {
    const file = new URL('../../../../tests/fixtures/warehouse-3.2.yaml', import.meta.url);
    const document = await readContract(fileURLToPath(file));
    const app = await createMockApp({ ...options, document });

    const events = await request(app).get('/crates/events').buffer(true);
    const again = await request(app).get('/crates/events').buffer(true);

    expect(events.status).toBe(200);
    expect(events.text).toMatch(/^event: moved\n(id: .*\n)?data: \{.*\}\n\n$/);
    expect(again.text).toBe(events.text);
  });
});
