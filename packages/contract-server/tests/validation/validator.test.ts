import { afterEach, describe, expect, it } from '@jest/globals';
import { contractOf, engineResponses, serveFixture, type Fixture } from '../support/fixture.js';
import { listen } from 'contract-testing/generate';
import { connect, rawRequest, type RawResponse } from 'contract-testing/raw-http';
import { createHttpServer } from '../../src/server/http-server.js';

const thing = {
  type: 'object',
  required: ['size'],
  properties: { size: { type: 'integer', maximum: 9 }, kind: { type: 'string', default: 'plain' } },
  additionalProperties: false,
};
const content = { 'application/json': { schema: thing } };
const contract = contractOf({
  '/things': {
    post: {
      operationId: 'createThing',
      requestBody: { required: true, content },
      responses: { ...engineResponses, '200': { description: 'The thing.', content } },
    },
  },
});

let close: () => Promise<void>;

afterEach(() => close());

/** Sends these bodies in one piece, so that the server has their requests in one turn. */
async function createTogether(
  handle: (body: unknown) => unknown,
  bodies: readonly string[],
): Promise<{ answers: unknown[]; faults: Fixture['faults'] }> {
  const { app, faults } = await serveFixture(contract, {
    createThing: ({ body }) => ({ status: 200, body: handle(body) }),
  });
  const listening = await listen(
    createHttpServer(app, {
      requestTimeoutMs: 10_000,
      errorBody: ({ message }) => ({ message }),
      onRefused: () => undefined,
    }),
  );
  const connection = await connect(listening.url);
  close = async () => {
    connection.destroy();
    await listening.close();
  };
  connection.send(
    bodies
      .map((body) =>
        rawRequest('POST /things HTTP/1.1', { 'Content-Type': 'application/json' }, body),
      )
      .join(''),
  );
  const answers: RawResponse[] = [];
  while (answers.length < bodies.length) answers.push(await connection.response());
  return { answers: answers.map(({ text }) => JSON.parse(text) as unknown), faults };
}

const same = (body: unknown): unknown => body;

describe('requests that are judged together', () => {
  it('get a verdict each, which names their own problems only', async () => {
    const { answers } = await createTogether(same, [
      '{"size":1}',
      '{"size":10}',
      '{"kind":"odd","colour":"red"}',
      '{"size":2}',
    ]);

    expect(answers).toEqual([
      { size: 1, kind: 'plain' },
      { error: 40002, message: 'body /size: must be <= 9' },
      {
        error: 40002,
        message:
          'body /size: is required; body /colour: is not one of those that the contract names',
      },
      { size: 2, kind: 'plain' },
    ]);
  });

  it('get it also where the validator does not say which of them has the problem', async () => {
    const { answers } = await createTogether(same, ['{"size":1}', '{"size":2,"":3}', '{"size":4}']);

    expect(answers).toEqual([
      { size: 1, kind: 'plain' },
      { error: 40002, message: 'body /: is not one of those that the contract names' },
      { size: 4, kind: 'plain' },
    ]);
  });
});

describe('responses that are judged together', () => {
  it('leave as they are, but for those that break the contract', async () => {
    const grow = (body: unknown): unknown => ({ size: 3 * (body as { size: number }).size });

    const { answers, faults } = await createTogether(grow, [
      '{"size":1}',
      '{"size":5}',
      '{"size":2}',
    ]);

    expect(answers).toEqual([{ size: 3 }, expect.objectContaining({ error: 50001 }), { size: 6 }]);
    expect(faults).toEqual([
      {
        operationId: 'createThing',
        status: 200,
        problems: [{ pointer: '/body/size', keyword: 'maximum', message: 'must be <= 9' }],
      },
    ]);
  });
});
