import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { contractOf, engineResponses, serveFixture, type Fixture } from '../support/fixture.js';

const anyName = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

/** Serves one POST whose handler returns what it got, or what the test wants. */
async function serve(
  content: object | undefined,
  respond: (request: { body: unknown }) => unknown = () => ({ status: 204 }),
  { responses = {}, required = true }: { responses?: object; required?: boolean } = {},
): Promise<Fixture & { bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const fixture = await serveFixture(
    contractOf({
      '/things': {
        post: {
          operationId: 'postThing',
          ...(content !== undefined && { requestBody: { required, content } }),
          responses: { ...engineResponses, '204': { description: 'Done.' }, ...responses },
        },
      },
    }),
    { postThing: (received) => (bodies.push(received.body), respond(received)) },
  );
  return { ...fixture, bodies };
}

function post({ app }: Fixture, contentType: string | undefined, body: string | Buffer) {
  const sending = request(app).post('/things');
  if (contentType !== undefined) void sending.set('Content-Type', contentType);
  return sending.serialize((text: unknown) => text as string).send(body);
}

describe('OpenAPI 3.1.0 §4.8.13 Request Body', () => {
  it('that is optional may be left out', async () => {
    const fixture = await serve({ 'application/json': { schema: anyName } }, undefined, {
      required: false,
    });

    const response = await request(fixture.app).post('/things');

    expect(response.status).toBe(204);
    expect(fixture.bodies).toEqual([undefined]);
  });

  it('that is optional is judged where it is there', async () => {
    const fixture = await serve({ 'application/json': { schema: anyName } }, undefined, {
      required: false,
    });

    const response = await post(fixture, 'application/json', '{}');

    expect(response.status).toBe(400);
  });

  it.each([
    ['allOf', { allOf: [anyName] }],
    ['no schema at all', undefined],
  ])('that is required is required also under %s', async (_case, schema) => {
    const fixture = await serve({ 'application/json': schema === undefined ? {} : { schema } });

    const response = await request(fixture.app).post('/things');

    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: 40001, message: 'this operation needs a body' });
  });

  it('means nothing to an operation that has none (RFC 9110 §9.3.1)', async () => {
    const fixture = await serve(undefined);

    const response = await post(fixture, 'application/json', '{"a":1}');

    expect(response.status).toBe(204);
    expect(fixture.bodies).toEqual([undefined]);
  });
});

describe('OpenAPI 3.1.0 §4.8.14 Media Type: several, each with a schema of its own', () => {
  const content = {
    'application/json': { schema: anyName },
    'application/vnd.thing+json': { schema: { type: 'array' } },
    'text/plain': { schema: { type: 'string', maxLength: 5 } },
  };

  it.each([
    ['application/json', '{"name":"a"}', { name: 'a' }],
    ['Application/JSON; charset=UTF-8', '{"name":"a"}', { name: 'a' }],
    ['application/vnd.thing+json', '[1]', [1]],
    ['text/plain', 'abc', 'abc'],
    ['text/plain;charset=utf-8', '🌵', '🌵'],
    ['text/plain', '{"a":1}'.slice(0, 5), '{"a":'],
  ])('takes %s', async (contentType, sent, received) => {
    const fixture = await serve(content);

    const response = await post(fixture, contentType, sent);

    expect(response.status).toBe(204);
    expect(fixture.bodies).toEqual([received]);
  });

  it.each([
    ['application/json', '[1]', 400, /^body: must be object$/],
    ['application/vnd.thing+json', '{"name":"a"}', 400, /^body: must be array$/],
    ['text/plain', 'abcdef', 400, /^body: must NOT have more than 5 characters$/],
    ['text/plain; charset=latin1', 'abc', 415, /UTF-8/],
    ['text/html', 'abc', 415, /application\/json, application\/vnd\.thing\+json, text\/plain$/],
    ['application/other+json', '[]', 415, /^this operation takes/],
  ])('refuses %s %s with %d', async (contentType, sent, status, message) => {
    const fixture = await serve(content);

    const response = await post(fixture, contentType, sent);

    expect(response.status).toBe(status);
    expect((response.body as { message: string }).message).toMatch(message);
    expect(fixture.bodies).toEqual([]);
  });

  it('takes the most specific range that includes the body’s type', async () => {
    const ranges = {
      '*/*': { schema: { type: 'string' } },
      'application/*': { schema: { type: 'number' } },
      'application/*+json': { schema: { type: 'array' } },
      'application/vnd.a+json': { schema: { type: 'boolean' } },
    };
    const fixture = await serve(ranges);

    const statuses = await Promise.all(
      [
        ['application/vnd.a+json', 'true'],
        ['application/vnd.b+json', '[]'],
        ['application/json', '1'],
        ['text/plain', 'x'],
        ['application/vnd.b+json', 'true'],
      ].map(([type, body = '']) => post(fixture, type, body).then(({ status }) => status)),
    );

    expect(statuses).toEqual([204, 204, 204, 204, 400]);
  });
});

describe('OpenAPI 3.1.0 §4.8.14.2 binary bodies', () => {
  const content = { 'application/octet-stream': {} };

  async function digest({ body }: { body: unknown }): Promise<unknown> {
    const hash = createHash('sha256');
    for await (const chunk of body as Readable) hash.update(chunk as Buffer);
    return { status: 200, body: { sha256: hash.digest('hex') } };
  }

  const responses = {
    '200': {
      description: '',
      content: { 'application/json': { schema: { required: ['sha256'] } } },
    },
  };

  it('reach the handler as a stream', async () => {
    const bytes = Buffer.from(Array.from({ length: 9000 }, (_, n) => n % 256));
    const fixture = await serve(content, digest, { responses });

    const response = await post(fixture, 'application/octet-stream', bytes);

    expect(response.body).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex') });
  });

  it('are refused with 413 when they turn out too large', async () => {
    const fixture = await serve(content, digest, { responses });
    const sending = request(fixture.app)
      .post('/things')
      .set('Content-Type', 'application/octet-stream');
    for (let n = 0; n < 20; n++) sending.write(Buffer.alloc(1000));

    const response = await sending.send();

    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ error: 41301 });
  });

  it('are refused with 413 at once when they say so', async () => {
    const fixture = await serve(content, digest, { responses });

    const response = await post(fixture, 'application/octet-stream', Buffer.alloc(10_001));

    expect(response.status).toBe(413);
    expect(fixture.bodies).toEqual([]);
  });

  it('that a handler leaves unread do no harm', async () => {
    const fixture = await serve(content);

    const response = await post(fixture, 'application/octet-stream', Buffer.alloc(9000));

    expect(response.status).toBe(204);
  });
});

describe('OpenAPI 3.1.0 §4.8.17 Response: several media types', () => {
  const responses = {
    '200': {
      description: '',
      content: {
        'application/json': { schema: anyName },
        'text/plain': { schema: { type: 'string', minLength: 2 } },
        'image/png': {},
      },
    },
  };
  const respondWith = (contentType: string | undefined, body: unknown) => () => ({
    status: 200,
    contentType,
    body,
  });

  it.each([
    ['text/plain', 'hello', 'hello'],
    ['text/plain; charset=utf-8', 'éé', 'éé'],
    ['application/json', { name: 'a' }, '{"name":"a"}'],
  ])('sends %s as the handler says', async (contentType, body, text) => {
    const fixture = await serve(undefined, respondWith(contentType, body), { responses });

    const response = await request(fixture.app).post('/things');

    expect(response.headers['content-type']).toBe(contentType);
    expect(response.text).toBe(text);
  });

  it.each([
    ['bytes', () => Buffer.from([1, 2, 3])],
    ['a stream', () => Readable.from([Buffer.from([1]), Buffer.from([2, 3])])],
  ])('sends %s', async (_case, body) => {
    const fixture = await serve(undefined, () => respondWith('image/png', body())(), { responses });

    const response: Response = await request(fixture.app).post('/things').buffer(true);

    expect(response.headers['content-type']).toBe('image/png');
    expect(response.body).toEqual(Buffer.from([1, 2, 3]));
    expect(fixture.faults).toEqual([]);
  });

  it.each([
    ['text that is none', 'text/plain', { name: 'a' }],
    ['text that its schema refuses', 'text/plain', 'x'],
    ['bytes that are none', 'image/png', { name: 'a' }],
    ['a type that is not declared', 'image/gif', Buffer.from([1])],
    ['JSON that its schema refuses', 'application/json', 'hello'],
  ])('answers 500 for %s', async (_case, contentType, body) => {
    const fixture = await serve(undefined, respondWith(contentType, body), { responses });

    const response = await request(fixture.app).post('/things');

    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ error: 50001 });
    expect(fixture.faults).toHaveLength(1);
  });

  it.each([
    ['application/json;q=0.1, text/plain', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/plain;q=0.2, */*;q=0.1', 'text/plain'],
    ['*/*', 'application/json'],
    ['application/*, text/plain;q=0.9', 'application/json'],
  ])(
    'takes what Accept: %s likes best where the handler leaves it open',
    async (accept, contentType) => {
      const fixture = await serve(undefined, respondWith(undefined, 'hello'), {
        responses: {
          '200': {
            description: '',
            content: {
              'application/json': { schema: { type: 'string' } },
              'text/plain': { schema: { type: 'string' } },
            },
          },
        },
      });

      const response = await request(fixture.app).post('/things').set('Accept', accept);

      expect(response.headers['content-type']).toBe(contentType);
      expect(response.text).toBe(contentType === 'text/plain' ? 'hello' : '"hello"');
    },
  );

  it('refuses an Accept that excludes them all with 406', async () => {
    const fixture = await serve(undefined, respondWith('text/plain', 'hello'), { responses });

    const response = await request(fixture.app)
      .post('/things')
      .set('Accept', 'image/gif, application/json;q=0');

    expect(response.status).toBe(406);
    expect(fixture.bodies).toEqual([]);
  });
});
