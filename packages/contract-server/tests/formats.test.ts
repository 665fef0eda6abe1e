import request from 'supertest';
import { describe, expect, it } from '@jest/globals';
import type { ContractWarning, TextFormats } from '../src/index.js';
import { problemsOf } from './support/contract-problems.js';
import { contractOf, engineResponses, serveFixture } from './support/fixture.js';

/** A class of the service's own, which JSON.stringify would write as an object. */
class Ulid {
  constructor(readonly text: string) {}
}

const formats: TextFormats = {
  ulid: {
    validate: (text) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text),
    parse: (text) => new Ulid(text),
    write: (value) => (value instanceof Ulid ? value.text : ''),
  },
  'date-time': {
    parse: (text) => {
      const date = new Date(text);
      return Number.isNaN(date.getTime()) ? undefined : date;
    },
    write: (value) => (value instanceof Date ? value.toISOString() : ''),
  },
  even: { validate: (text) => text.length % 2 === 0 },
};

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const AT = '2026-11-22T12:00:00.000Z';
const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { $ref: '#/components/schemas/Id' },
    at: { anyOf: [{ type: 'string', format: 'date-time' }, { enum: ['now'] }] },
    others: { type: 'array', items: { $ref: '#/components/schemas/Id' } },
    pad: { type: 'string', format: 'even' },
    odd: { type: 'string', format: 'unheard-of' },
  },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
const id = { $ref: '#/components/schemas/Id' };
const contract = contractOf(
  {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: id },
          { name: 'since', in: 'query', schema: { type: 'string', format: 'date-time' } },
          { name: 'X-Id', in: 'header', schema: id },
        ],
        requestBody: { content },
        responses: {
          ...engineResponses,
          '200': { description: '', headers: { 'X-Id': { schema: id } }, content },
        },
      },
    },
  },
  { components: { schemas: { Thing: thing, Id: { type: 'string', format: 'ulid' } } } },
);

async function serve(answer: (received: Readonly<Record<string, unknown>>) => unknown) {
  const warnings: ContractWarning[] = [];
  const handlers = {
    putThing: (received: object) => answer({ ...received }),
  };
  const onWarning = (warning: ContractWarning) => warnings.push(warning);
  const { app, faults } = await serveFixture(contract, handlers, { formats, onWarning });
  return { faults, warnings, put: (path: string) => request(app).put(path) };
}

const sound = () => ({ status: 200, body: { id: ULID } });

describe('OpenAPI 3.1.0 §4.4 formats of the service’s own', () => {
  it.each([
    ['in a path', '/things/1', {}, 'path /id: must match format "ulid"'],
    ['in a body', `/things/${ULID}`, { id: 'a' }, 'body /id: must match format "ulid"'],
    [
      'in a list',
      `/things/${ULID}`,
      { id: ULID, others: ['a'] },
      'body /others/0: must match format "ulid"',
    ],
    [
      'without a type of its own',
      `/things/${ULID}`,
      { id: ULID, pad: 'abc' },
      'body /pad: must match format "even"',
    ],
    [
      'that the engine knows',
      `/things/${ULID}?since=now`,
      {},
      'query /since: must match format "date-time"',
    ],
  ])('refuse what is not of them: %s', async (_case, path, body, message) => {
    const { put } = await serve(sound);

    const { status, text } = await put(path).send(Object.keys(body).length > 0 ? body : undefined);

    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ message });
  });

  it('give a handler what they make of texts, in parameters and bodies', async () => {
    let received: Readonly<Record<string, unknown>> = {};
    const { put } = await serve((request_) => ((received = request_), sound()));

    await put(`/things/${ULID}?since=2026-11-22T13:00:00%2B01:00`)
      .set('X-Id', ULID)
      .send({ id: ULID, at: AT, others: [ULID], pad: 'ab', odd: 'x' });

    expect(received).toMatchObject({
      params: { id: new Ulid(ULID) },
      query: { since: new Date(AT) },
      headers: { 'X-Id': new Ulid(ULID) },
      body: { id: new Ulid(ULID), at: new Date(AT), others: [new Ulid(ULID)], pad: 'ab', odd: 'x' },
    });
  });

  it('leave a text that another branch accepts', async () => {
    let received: Readonly<Record<string, unknown>> = {};
    const { put } = await serve((request_) => ((received = request_), sound()));

    await put(`/things/${ULID}`).send({ id: ULID, at: 'now' });

    expect(received.body).toMatchObject({ at: 'now' });
  });

  it('write what a handler returns, in bodies and headers, and change nothing of it', async () => {
    const body = { id: new Ulid(ULID), at: new Date(AT), others: [new Ulid(ULID)] };
    const { put, faults } = await serve(() => ({
      status: 200,
      headers: { 'X-Id': new Ulid(ULID) },
      body,
    }));

    const response = await put(`/things/${ULID}`);

    expect(faults).toEqual([]);
    expect(response.text).toBe(`{"id":"${ULID}","at":"${AT}","others":["${ULID}"]}`);
    expect(response.get('X-Id')).toBe(ULID);
    expect(body.others[0]).toBeInstanceOf(Ulid);
  });

  it('judge what a handler returns', async () => {
    const { put, faults } = await serve(() => ({ status: 200, body: { id: new Ulid('a') } }));

    expect((await put(`/things/${ULID}`)).status).toBe(500);
    expect(faults).toMatchObject([{ problems: [{ pointer: '/body/id', keyword: 'format' }] }]);
  });

  it('leave unknown ones unchecked, which is said at boot', async () => {
    const { warnings } = await serve(sound);

    expect(warnings.map(({ what }) => what)).toEqual([
      'format unheard-of is not known, and is not checked',
    ]);
  });

  it('are refused at boot where they are none', async () => {
    const wrong: TextFormats = {
      int64: { validate: () => true },
      ulid: { parse: (text) => text, write: String },
      date: { parse: (text) => new Date(text) },
    };

    const problems = await problemsOf(
      serveFixture(contract, { putThing: sound }, { formats: wrong }),
    );

    expect(problems).toEqual([
      'format int64: is one of numbers, and texts have formats of their own',
      'format ulid: needs a validate',
      'format date: needs both parse and write',
    ]);
  });
});
