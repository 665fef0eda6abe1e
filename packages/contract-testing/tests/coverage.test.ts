import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { contractClient, type ContractClient } from '../src/client.js';
import { ContractCoverage, type ConstraintRow } from '../src/coverage.js';
import { coveragePage } from '../src/coverage-page.js';
import { coverageTable, missing } from '../src/coverage-table.js';

/** Another team's contract, and a service of theirs that answers as it is told. */
const CONTRACT = fileURLToPath(
  new URL('../../../tests/fixtures/train-travel.yaml', import.meta.url),
);
const ID = '123e4567-e89b-42d3-a456-426614174000';
const PAYMENT = '/components/schemas/Payment';
const card = { object: 'card', number: '4242 4242 4242 4242', cvc: '123' };
const payment = { amount: 12.5, currency: 'eur', source: card };

let coverage: ContractCoverage;
let answer: { status: number; body: object };
let api: ContractClient<Record<string, unknown>>;

beforeEach(() => {
  coverage = new ContractCoverage(CONTRACT);
  const app = (req: IncomingMessage, res: ServerResponse): void => {
    req.resume();
    const isProblem = answer.status >= 400;
    res.setHeader('Content-Type', isProblem ? 'application/problem+json' : 'application/json');
    res.writeHead(answer.status).end(JSON.stringify(answer.body));
  };
  api = contractClient(app as never, { contract: CONTRACT, coverage });
});

async function pay(body: object, status: number): Promise<void> {
  const problem = { title: 'no', status };
  const paid = { ...payment, id: ID, source: { object: 'card', number: card.number } };
  answer = { status, body: status === 200 ? paid : problem };
  await api.payBooking?.({ params: { bookingId: ID }, body });
}

function rowOf(constraint: string): ConstraintRow | undefined {
  return coverage.report().constraints.find((row) => row.constraint === constraint);
}

describe('a response', () => {
  it('has a row for each of its media types, and counts where it was seen', async () => {
    await pay(payment, 200);
    await pay({}, 422);
    await pay({}, 400);

    const rows = coverage
      .report()
      .responses.filter(({ operationId }) => operationId === 'payBooking');

    expect(rows).toEqual([
      { operationId: 'payBooking', response: '200', mediaType: 'application/json', count: 1 },
      {
        operationId: 'payBooking',
        response: 'default',
        mediaType: 'application/problem+json',
        count: 2,
      },
      {
        operationId: 'payBooking',
        response: 'default',
        mediaType: 'application/problem+xml',
        count: 0,
      },
    ]);
  });

  it('has no row where it refuses a body, and the operation takes none', () => {
    const response = { description: '' };
    const responses = { '200': response, '408': response, '413': response, '415': response };
    const coverage = new ContractCoverage({
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: {
        '/a': {
          get: { operationId: 'getA', responses },
          put: { operationId: 'putA', requestBody: { content: {} }, responses },
        },
      },
    });

    const rows = coverage.report().responses;

    expect(rows.filter(({ operationId }) => operationId === 'getA')).toHaveLength(1);
    expect(rows.filter(({ operationId }) => operationId === 'putA')).toHaveLength(4);
  });

  it('does not count where it broke the contract', async () => {
    answer = { status: 200, body: {} };
    await expect(api.payBooking?.({ params: { bookingId: ID }, body: payment })).rejects.toThrow();

    expect(coverage.counts.responses).toEqual({});
  });
});

describe('a constraint', () => {
  it.each([
    [`${PAYMENT}/properties/amount/exclusiveMinimum`, { ...payment, amount: 0 }],
    [`${PAYMENT}/properties/amount/type`, { ...payment, amount: '1' }],
    [`${PAYMENT}/properties/currency/enum`, { ...payment, currency: 'chf' }],
    [`${PAYMENT}/properties/source/oneOf`, { ...payment, source: { object: 'cash' } }],
    [`${PAYMENT}/required/(amount)`, { currency: 'eur', source: card }],
    [`${PAYMENT}/unevaluatedProperties`, { ...payment, tip: 1 }],
    [
      '/components/schemas/Card/properties/number/pattern',
      { ...payment, source: { ...card, number: 'x' } },
    ],
    ['/paths/~1bookings~1{bookingId}~1payment/post/requestBody/content/(JSON)', undefined],
  ])('%s counts as kept, and as broken by a request that breaks it', async (constraint, body) => {
    await pay(payment, 200);
    const before = rowOf(constraint);

    answer = { status: 400, body: { title: 'no', status: 400 } };
    await api.request
      .post(`/bookings/${ID}/payment`)
      .type('json')
      .serialize(String)
      .send(body === undefined ? '{' : JSON.stringify(body));

    expect(before).toMatchObject({ accepted: 1, refused: 0 });
    expect(rowOf(constraint)).toMatchObject({ accepted: 1, refused: 1 });
  });

  it('of a parameter counts likewise', async () => {
    const get = async (query: object, status: number): Promise<void> => {
      const page = { data: [], links: {} };
      answer = { status, body: status === 200 ? page : { title: 'no', status } };
      await api.listStations?.({ query: { ...query } });
    };
    await get({ limit: 100, page: 1 }, 200);
    await get({ limit: 101 }, 400);

    expect(rowOf('/components/parameters/Limit/schema/maximum')).toMatchObject({
      accepted: 1,
      refused: 1,
    });
    expect(rowOf('/components/parameters/Page/schema/minimum')).toMatchObject({
      accepted: 1,
      refused: 0,
    });
  });

  it('does not count as broken where the request was refused before anybody looked at it', async () => {
    await pay({ ...payment, amount: 0 }, 401);

    expect(rowOf(`${PAYMENT}/properties/amount/exclusiveMinimum`)).toMatchObject({ refused: 0 });
  });

  it('does not count as kept where the request had nothing that it is about', async () => {
    await pay(payment, 200);

    expect(rowOf('/components/schemas/BankAccount/properties/iban/type')).toMatchObject({
      accepted: 0,
    });
  });

  it('that no path can break has no row', () => {
    const schema = { type: 'string', minLength: 1, maxLength: 9 };
    const get = { operationId: 'getA', responses: {} };
    const parameters = [{ name: 'a', in: 'path', required: true, schema }];
    const coverage = new ContractCoverage({
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: { '/{a}': { parameters, get } },
    });

    expect(coverage.report().constraints.map(({ constraint }) => constraint)).toEqual([
      '/paths/~1{a}/parameters/0/schema/maxLength',
    ]);
  });

  it('on what clients do not send has no row', () => {
    expect(rowOf(`${PAYMENT}/properties/status/enum`)).toBeUndefined();
    expect(rowOf(`${PAYMENT}/required/(id)`)).toBeUndefined();
  });
});

describe('the report', () => {
  it('says what was never seen, in text and on the page', async () => {
    await pay(payment, 200);
    const report = coverage.report();

    expect(report.percent).toBeGreaterThan(0);
    expect(report.percent).toBeLessThan(100);
    expect(missing(report)).toContain('cancelBooking: no test has seen the response 204');
    expect(missing(report)).toContain(
      `payBooking: no test breaks ${PAYMENT}/required/(amount) and is refused`,
    );
    expect(coverageTable(report)).toMatch(/^ {2}cancelBooking +204 +\(no body\) +NEVER$/m);
    expect(coveragePage(report)).toContain('<td class="count never">never');
  });

  it('adds up what several files have counted', async () => {
    await pay(payment, 200);
    const { counts } = coverage;
    const sum = new ContractCoverage(CONTRACT);

    sum.add(counts);
    sum.add(structuredClone(counts));

    expect(sum.report().responses).toContainEqual({
      ...{ operationId: 'payBooking', response: '200', mediaType: 'application/json' },
      count: 2,
    });
  });
});
