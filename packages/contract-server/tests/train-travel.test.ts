import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { readContract, type ApiError, type ContractWarning } from '../src/index.js';
import { contractClient, ContractCoverage, type ContractClient } from 'contract-testing';
import { serveFixture, type Fixture } from './support/fixture.js';
import { knowsAuthorization } from './support/strategies.js';

const CONTRACT = fileURLToPath(
  new URL('../../../tests/fixtures/train-travel.yaml', import.meta.url),
);
const ID = '123e4567-e89b-42d3-a456-426614174000';
const payment = { amount: 12.5, currency: 'eur' };
const card = { object: 'card', number: '4242 4242 4242 4242', cvc: '123' };

describe('a contract like those that are published', () => {
  const notes: ContractWarning[] = [];
  const coverage = new ContractCoverage(CONTRACT);
  let fixture: Fixture;
  let api: ContractClient<Record<string, unknown>>;
  let seen: unknown;
  let answer: unknown;

  beforeAll(async () => {
    const { root } = await readContract(CONTRACT);
    const handle = (received: unknown) => ((seen = received), answer);
    fixture = await serveFixture(
      root,
      { listStations: handle, getBooking: handle, cancelBooking: handle, payBooking: handle },
      {
        strategies: {
          oauth: knowsAuthorization({
            'Bearer reader': { scopes: ['read'] },
            'Bearer both': { scopes: ['read', 'write'] },
          }),
        },
        errorBody: ({ status, message }: ApiError) => ({ title: message, status }),
        undeclaredErrors: 'send',
        onWarning: (note) => notes.push(note),
      },
    );
    api = contractClient(fixture.app, { contract: CONTRACT, coverage });
  });

  const get = (path: string): Promise<Response> =>
    api.request.get(path).set('Authorization', 'Bearer reader').then();
  const pay = (body: object): Promise<Response> =>
    api.request
      .post(`/bookings/${ID}/payment`)
      .set('Authorization', 'Bearer both')
      .send(body)
      .then();

  it('loads without giving up anything but what its requests to nowhere are answered with', () => {
    expect(notes.map(({ operationIds }) => operationIds)).toEqual([['unmatched']]);
  });

  it('fills in the page, and answers with links to others', async () => {
    const links = { self: 'https://example.com/?page=1', next: null };
    answer = { status: 200, contentType: 'application/json', body: { data: [], links } };

    const response = await get('/stations');

    expect(response.body).toEqual({ data: [], links });
    expect(seen).toMatchObject({ query: { page: 1, limit: 10 } });
  });

  it('refuses an answer with members beyond those of a page', async () => {
    const body = { data: [], links: {}, more: 1 };
    answer = { status: 200, contentType: 'application/json', body };

    expect((await get('/stations')).status).toBe(500);
  });

  it('tells of problems in the media type that the client likes', async () => {
    const response = await get('/stations?page=0').catch(() => undefined);

    expect(response?.status).toBe(400);
    expect(response?.headers['content-type']).toBe('application/problem+json');
  });

  it('wants the scopes of the operation', async () => {
    answer = { status: 204 };
    const cancel = (token: string) =>
      api.request.delete(`/bookings/${ID}`).set('Authorization', `Bearer ${token}`);

    expect((await cancel('reader')).status).toBe(403);
    expect((await cancel('both')).status).toBe(204);
  });

  it.each([
    ['a card', { ...payment, source: card }, 200],
    ['a bank account', { ...payment, source: { object: 'bank_account', iban: 'X' } }, 200],
    ['a card without its number', { ...payment, source: { object: 'card', cvc: '1' } }, 400],
    ['a source of no kind', { ...payment, source: { object: 'cash' } }, 400],
    ['nothing', { ...payment, amount: 0, source: card }, 400],
    ['a status of the client’s own', { ...payment, source: card, status: 'succeeded' }, 400],
    ['more than the contract names', { ...payment, source: card, tip: 1 }, 400],
  ])('takes a payment: %s', async (_case, body, status) => {
    const shown = { object: card.object, number: card.number };
    answer = { status: 200, body: { ...payment, id: ID, status: 'pending', source: shown } };

    expect((await pay(body)).status).toBe(status);
  });

  it('never tells the secret of a card', async () => {
    answer = { status: 200, body: { ...payment, id: ID, source: card } };

    expect((await pay({ ...payment, source: card })).status).toBe(500);
    expect(fixture.faults.at(-1)?.problems).toContainEqual({
      pointer: '/body/source/cvc',
      keyword: 'writeOnly',
      message: 'is write-only',
    });
  });
});
