import express, { text } from 'express';
import { describe, expect, it } from '@jest/globals';
import { ContractCoverage, contractClient } from '../src/index.js';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', format: 'int64' } },
};
const event = {
  required: ['event', 'data'],
  oneOf: [
    { properties: { event: { const: 'end' } } },
    {
      properties: {
        event: { const: 'thing' },
        data: {
          contentMediaType: 'application/json',
          contentSchema: { $ref: '#/components/schemas/Thing' },
        },
      },
    },
  ],
};
const eventsRef = { $ref: '#/components/mediaTypes/Events' };
const responses = { '204': { description: '' }, '400': { description: '' } };
const contract = {
  openapi: '3.2.0',
  info: { title: 'a fixture', version: '1.0.0' },
  paths: {
    '/things': {
      get: {
        operationId: 'watch',
        responses: {
          '200': {
            description: '',
            content: {
              'text/event-stream': eventsRef,
              'application/jsonl': { itemSchema: { $ref: '#/components/schemas/Thing' } },
              'application/json-seq': { itemSchema: { $ref: '#/components/schemas/Thing' } },
            },
          },
        },
      },
      post: {
        operationId: 'add',
        requestBody: {
          required: true,
          content: { 'application/jsonl': { itemSchema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses,
      },
      put: {
        operationId: 'report',
        requestBody: { content: { 'text/event-stream': eventsRef } },
        responses,
      },
    },
  },
  components: { schemas: { Thing: thing }, mediaTypes: { Events: { itemSchema: event } } },
};

function clientOf(contentType: string, body: string, status = 204) {
  const sent: unknown[] = [];
  const app = express();
  app.use(text({ type: () => true }));
  app.get('/things', (_req, res) => void res.set('Content-Type', contentType).end(body));
  app.post('/things', (req, res) => {
    sent.push(req.headers['content-type'], req.body);
    res.status(status).end();
  });
  app.put('/things', (_req, res) => void res.status(status).end());
  const coverage = new ContractCoverage(contract);
  return { api: contractClient(app, { contract, coverage }), sent, coverage };
}

describe('a body of items', () => {
  it.each([
    ['application/jsonl', '{"id":9007199254740993}\n{"id":2}\n'],
    ['application/json-seq', '\x1e{"id":9007199254740993}\n\x1e{"id":2}\n'],
  ])('of %s is read exactly', async (contentType, body) => {
    const { api } = clientOf(contentType, body);

    const answer = await api.watch?.({});

    expect(answer?.body).toEqual([{ id: 9007199254740993n }, { id: 2n }]);
  });

  it('of events is read with the JSON that their data is', async () => {
    const body =
      ': a comment\n\nevent: thing\nid: 1\ndata: {"id":9007199254740993}\n\nevent: end\ndata: x\n\n';
    const { api, coverage } = clientOf('text/event-stream', body);

    const answer = await api.watch?.({});

    expect(answer?.body).toEqual([
      { event: 'thing', id: '1', data: { id: 9007199254740993n } },
      { event: 'end', data: 'x' },
    ]);
    expect(coverage.report().responses).toContainEqual(
      expect.objectContaining({ mediaType: 'text/event-stream', count: 1 }),
    );
  });

  it.each([
    ['application/jsonl', '{"id":1}\n{"id":9223372036854775808}\n', '/body/1/id'],
    ['application/jsonl', '{"id":1}\n{', '/body'],
    ['text/event-stream', 'event: thing\ndata: {}\n\n', '/body/0/data/id'],
    ['text/event-stream', 'event: thing\ndata: {"id":1.5}\n\n', '/body/0/data/id'],
    ['text/event-stream', 'event: thing\ndata: x\n\n', '/body/0/data'],
    ['text/event-stream', 'data: x\n\n', '/body/0/event'],
  ])('of %s that the contract refuses fails the test: %j', async (contentType, body, pointer) => {
    const { api } = clientOf(contentType, body);

    await expect(api.request.get('/things')).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ pointer })]),
    });
  });

  it('is sent as the operation takes it', async () => {
    const { api, sent } = clientOf('', '');

    await api.add?.({ body: [{ id: 9007199254740993n }, { id: 2n }] });

    expect(sent).toEqual(['application/jsonl', '{"id":9007199254740993}\n{"id":2}\n']);
  });

  it('that the contract refuses must not be accepted', async () => {
    const { api } = clientOf('', '');

    await expect(api.add?.({ body: [{ id: 1n }, {}] })).rejects.toThrow('/body/1/id');
  });

  it('is covered: constraints on items, on events and on the JSON of their data', async () => {
    const { api, coverage } = clientOf('', '');
    const refusing = clientOf('', '', 400);
    const count = (of: ContractCoverage, pointer: string) =>
      of.report().constraints.find(({ constraint }) => constraint.endsWith(pointer));

    await api.add?.({ body: [{ id: 1n }] });
    await refusing.api.add?.({ body: [{ id: 1n }, {}] });
    await refusing.api.request.post('/things').type('application/jsonl').send('{"id":1}\n{');
    await api.report?.({ body: [{ event: 'thing', data: { id: 1n } }] });
    await refusing.api.report?.({ body: [{ event: 'thing', data: {} }] });
    await refusing.api.report?.({ body: [{ event: 'other', data: 'x' }] });

    expect(count(coverage, 'Thing/required/(id)')).toMatchObject({ accepted: 1, refused: 0 });
    expect(count(refusing.coverage, 'Thing/required/(id)')).toMatchObject({ refused: 1 });
    expect(count(refusing.coverage, 'content/(JSON)')).toMatchObject({ refused: 1 });
    const ofEvents = refusing.coverage
      .report()
      .constraints.filter(({ operationId }) => operationId === 'report');
    expect(ofEvents.map(({ constraint, refused }) => [constraint, refused])).toEqual([
      ['/paths/~1things/put/requestBody/content', 0],
      ['/components/mediaTypes/Events/itemSchema/required/(event)', 0],
      ['/components/mediaTypes/Events/itemSchema/oneOf', 2],
      ['/components/mediaTypes/Events/itemSchema/oneOf/0/properties/event/const', 2],
      ['/components/mediaTypes/Events/itemSchema/oneOf/1/properties/event/const', 1],
      ['/components/schemas/Thing/type', 0],
      ['/components/schemas/Thing/required/(id)', 1],
      ['/components/schemas/Thing/properties/id/type', 0],
      ['/components/schemas/Thing/properties/id/format', 0],
    ]);
  });
});
