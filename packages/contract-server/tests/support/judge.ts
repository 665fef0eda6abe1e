import request from 'supertest';
import type { ContractWarning } from '../../src/index.js';
import { writeJson } from '../../src/json/json.js';
import { contractOf, engineResponses, serveFixture } from './fixture.js';

/** One for all that the engine refuses: each response costs a contract time to build. */
const refusals = { default: engineResponses['400'] };

export interface Judge {
  /** The status of a request with this body: 204, or 400. */
  readonly sent: (body: unknown) => Promise<number>;
  /** What a client is told is wrong with this body; empty where it is accepted. */
  readonly told: (body: unknown) => Promise<string>;
  /** The body as the handler got it. */
  readonly received: (body: unknown) => Promise<unknown>;
  /** The status of a response with this body: 200, or 500. */
  readonly answered: (body: unknown) => Promise<number>;
  readonly notes: readonly ContractWarning[];
}

/** Serves a contract whose one operation takes and answers what the schema says. */
export async function judgeOf(
  openapi: string,
  schema: unknown,
  schemas: object = {},
): Promise<Judge> {
  const content = { 'application/json': { schema } };
  const contract = contractOf(
    {
      '/sent': {
        post: {
          operationId: 'send',
          requestBody: { required: true, content },
          responses: { ...refusals, '204': { description: '' } },
        },
      },
      '/answered': {
        get: {
          operationId: 'answer',
          responses: { ...refusals, '200': { description: '', content } },
        },
      },
    },
    { openapi, components: { schemas } },
  );
  const notes: ContractWarning[] = [];
  let received: unknown;
  let answer: unknown;
  const { app } = await serveFixture(
    contract,
    {
      send: ({ body }) => ((received = body), { status: 204 }),
      answer: () => ({ status: 200, body: answer }),
    },
    { onWarning: (note) => notes.push(note) },
  );
  const send = (body: unknown) => request(app).post('/sent').type('json').send(writeJson(body));
  return {
    notes,
    sent: async (body) => (await send(body)).status,
    told: async (body) => {
      const response = await send(body);
      return response.status === 204 ? '' : String((response.body as { message: unknown }).message);
    },
    received: async (body) => {
      received = undefined;
      await send(body);
      return received;
    },
    answered: async (body) => {
      answer = body;
      return (await request(app).get('/answered')).status;
    },
  };
}
