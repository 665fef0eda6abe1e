import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { contractOf, serveFixture, type Fixture } from '../support/fixture.js';

const thing = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const failure = { type: 'object', required: ['error'], properties: { error: { type: 'integer' } } };

/** Serves a GET whose handler answers so, where every answer has these media types. */
function serve(
  mediaTypes: readonly string[],
  answer: object,
  schema: object = thing,
): Promise<Fixture> {
  const answers = (described: object) => ({
    description: '',
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: described }])),
  });
  const responses = { '200': answers(schema), default: answers(failure) };
  return serveFixture(
    contractOf(
      { '/things': { get: { operationId: 'getThing', responses } } },
      { 'x-unmatched-responses': { default: answers(failure) } },
    ),
    { getThing: () => ({ status: 200, ...answer }) },
  );
}

describe('OpenAPI 3.1.0 §4.8.17 Response: several media types', () => {
  it.each(['application/xml', 'text/html, application/xml;q=0.9', '*/*'])(
    'sends an object as JSON, and errors too, for Accept: %s',
    async (accept) => {
      const { app, faults } = await serve(['application/xml', 'application/json'], {
        body: { name: 'a' },
      });

      const found = await request(app).get('/things').set('Accept', accept);
      const refused = await request(app).get('/things?x').set('Accept', accept);

      expect(found).toMatchObject({ status: 200, body: { name: 'a' } });
      expect(found.headers['content-type']).toBe('application/json');
      expect(refused).toMatchObject({ status: 400, body: { error: 40002 } });
      expect(faults).toEqual([]);
    },
  );

  it('sends bytes as what is no JSON', async () => {
    const { app } = await serve(['application/json', 'image/png'], { body: Readable.from(['a']) });

    const response = await request(app).get('/things').set('Accept', 'application/json, */*');

    expect(response.headers['content-type']).toBe('image/png');
  });
});

describe('OpenAPI 3.1.0 §4.8.17 Response: a range of media types', () => {
  it.each(['*/*', 'application/*'])('%s is sent and judged as JSON', async (range) => {
    const { app, faults } = await serve([range], { body: { name: 'a' } });

    const found = await request(app).get('/things').set('Accept', 'application/json');

    expect(found).toMatchObject({ status: 200, body: { name: 'a' } });
    expect(found.headers['content-type']).toBe('application/json');
    expect((await request(app).get('/things?x')).body).toMatchObject({ error: 40002 });
    expect((await request(app).get('/nothing')).body).toMatchObject({ error: 40401 });
    expect(faults).toEqual([]);
  });

  it.each([
    ['*/*', { contentType: 'text/csv', body: 'a;b' }, 'text/csv'],
    ['*/*', { body: Buffer.from('a') }, 'application/octet-stream'],
    [
      'application/*',
      { contentType: 'application/vnd.a+json', body: {} },
      'application/vnd.a+json',
    ],
    ['application/*+json', { contentType: 'application/a+json', body: {} }, 'application/a+json'],
    ['text/*', { body: 'a' }, 'text/plain'],
    ['image/*', { contentType: 'image/gif', body: 'a' }, 'image/gif'],
  ])('%s is what the handler says, or what its body can be', async (range, answer, expected) => {
    const { app, faults } = await serve([range], answer, {});

    const response = await request(app).get('/things');

    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe(expected);
    expect(faults).toEqual([]);
  });

  it.each([
    ['*/*', { body: { name: 1 } }, '/body/name'],
    ['*/*', { contentType: '*/*', body: { name: 'a' } }, '/contentType'],
    ['application/*+json', { body: { name: 'a' } }, '/contentType'],
  ])('%s: answers 500 for %j', async (range, answer, pointer) => {
    const { app, faults } = await serve([range], answer);

    expect((await request(app).get('/things')).status).toBe(500);
    expect(faults).toMatchObject([{ problems: [{ pointer }] }]);
  });

  it.each([
    ['*/*', 'image/gif', 200],
    ['application/*', 'application/vnd.a+json', 200],
    ['application/*', 'image/*', 406],
    ['application/*', 'application/*;q=0, image/gif', 406],
  ])('%s is negotiated: Accept: %s is answered with %d', async (range, accept, status) => {
    const { app } = await serve([range], { body: { name: 'a' } });

    const response = await request(app).get('/things').set('Accept', accept);

    expect(response.status).toBe(status);
  });
});
