import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { serveStream, type StreamRequest, type StreamService } from '../support/stream-service.js';

const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', maxLength: 5 },
    size: { type: 'integer', default: 7 },
  },
};
const content = {
  'application/jsonl': { 'x-item-schema': thing },
  'application/json-seq': { 'x-item-schema': thing },
  'text/event-stream': {
    'x-item-schema': {
      required: ['event'],
      oneOf: [
        { properties: { event: { const: 'text' } } },
        {
          properties: {
            event: { const: 'thing' },
            data: { contentMediaType: 'application/json', contentSchema: thing },
          },
        },
      ],
    },
  },
};

let service: StreamService;
let received: unknown[];
async function readAll({ body }: StreamRequest): Promise<unknown> {
  for await (const item of body) received.push(item);
  return { status: 200 };
}

async function serve(handler = readAll, maxBodyBytes = 10_000): Promise<void> {
  received = [];
  service = await serveStream(handler, {
    operation: { requestBody: { required: true, content } },
    overrides: { limits: { maxBodyBytes, requestTimeoutMs: 10_000 } },
  });
}
afterEach(() => service.close());

async function post(
  body: RequestInit['body'],
  contentType = 'application/jsonl',
): Promise<{ status: number; message: unknown }> {
  const headers = { 'Content-Type': contentType };
  const response = await fetch(service.url, { method: 'POST', headers, body: body ?? null });
  const text = await response.text();
  const error = (text === '' ? {} : JSON.parse(text)) as { message?: unknown };
  return { status: response.status, message: error.message };
}

describe('OpenAPI 3.2.0 §4.14.3.1 Sequential Media Types, in requests', () => {
  it.each([
    ['application/jsonl', '{"id":9007199254740993}\r\n\n{"id":2}'],
    ['application/json-seq', '\x1e{"id":9007199254740993}\n\x1e\x1e{"id":2}\n'],
  ])(
    'gives the handler each item of %s, int64 exact and defaults filled in',
    async (type, body) => {
      await serve();

      const { status } = await post(body, type);

      expect(status).toBe(200);
      expect(received).toEqual([
        { id: 9007199254740993n, size: 7 },
        { id: 2n, size: 7 },
      ]);
    },
  );

  it.each([
    ['its schema refuses', '{"id":1}\n{"id":2,"name":"abcdef"}', /^body \/1\/name: .*5 characters/],
    ['is no JSON', '{"id":1}\n{"id":}', /^body \/1: is not valid JSON/],
    ['has a member twice', '{"id":1}\n{"id":1,"id":2}', /^body \/1: is not valid JSON/],
    [
      'is beyond int64',
      '{"id":1}\n{"id":9223372036854775808}',
      /^body \/1\/id: .*9223372036854775807/,
    ],
    ['is no UTF-8', Buffer.from('{"id":1}\n"\xff"', 'latin1'), /UTF-8/],
  ])('refuses with 400 a body with an item that %s', async (_case, body, message) => {
    await serve();

    expect(await post(body)).toEqual({ status: 400, message: expect.stringMatching(message) });
    expect(received.length).toBeLessThan(2);
  });

  it.each([
    ['with something before its first text', 'x\x1e{"id":1}\n', /record separator/],
    ['whose last number may be cut off', '\x1e{"id":1}\n\x1e12', /^body \/1: .*cut off/],
  ])('refuses with 400 a sequence %s', async (_case, body, message) => {
    await serve();

    expect(await post(body, 'application/json-seq')).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  it('waits no longer for a body that the handler has given up', async () => {
    await serve(async ({ body }) => {
      for await (const item of body) {
        received.push(item);
        break;
      }
      return { status: 200 };
    });
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();

    for (let count = 0; count < 20; count++) {
      const headers = { 'Content-Type': 'application/jsonl' };
      const sending = sendRequest(service.url, { method: 'POST', headers });
      sending.write('{"id":1}\n{"id"');
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      sending.end(':2}\n');
      response.resume();
      await once(response, 'end');
    }

    // One for each, as long as a body may take to arrive.
    expect(timers() - before).toBeLessThan(10);
  });

  it('takes an item as soon as it is there, and the next when the handler asks', async () => {
    let first: (item: unknown) => void;
    const arrived = new Promise((resolve) => (first = resolve));
    await serve(async ({ body }) => {
      for await (const item of body) {
        received.push(item);
        first(item);
      }
      return { status: 200 };
    });
    const headers = { 'Content-Type': 'application/jsonl' };
    const sending = sendRequest(service.url, { method: 'POST', headers });
    const answer = new Promise((resolve) => {
      sending.on('response', ({ statusCode }) => {
        resolve(statusCode);
      });
    });

    sending.write('{"id":1}\n{"id"');
    const item = await arrived;
    sending.end(':2}\n');

    expect(item).toEqual({ id: 1n, size: 7 });
    expect(await answer).toBe(200);
    expect(received).toHaveLength(2);
  });

  it('refuses a body that is too large with 413', async () => {
    await serve(readAll, 1000);

    const { status } = await post('{"id":1}\n'.repeat(500));

    expect(status).toBe(413);
  });

  it('lets the handler stop before the last item', async () => {
    await serve(async ({ body }) => {
      for await (const item of body) {
        received.push(item);
        break;
      }
      return { status: 200 };
    });

    const { status } = await post('{"id":1}\n'.repeat(500));

    expect(status).toBe(200);
    expect(received).toHaveLength(1);
  });

  it('is sent by curl from a pipe', async () => {
    await serve();
    const send = `printf '{"id":1}\\n{"id":2}\\n' | curl -sN -w '%{http_code}' -T - -X POST -H 'Content-Type: application/jsonl' ${service.url}`;

    const { stdout } = await promisify(execFile)('sh', ['-c', send]);

    expect(stdout).toBe('200');
    expect(received).toHaveLength(2);
  });

  it('reads events by the rules of HTML, their data as JSON where it is', async () => {
    await serve();
    const body =
      '\ufeff: a comment\r\nevent: text\rdata: one\ndata:two\nunknown: 1\nid\n\n' +
      'retry: 5\n\nevent: thing\ndata: {"id": 9007199254740993}\n\nevent: text\ndata: never ended';

    const { status } = await post(body, 'text/event-stream');

    expect(status).toBe(200);
    expect(received).toEqual([
      { event: 'text', data: 'one\ntwo', id: '' },
      { event: 'thing', data: { id: 9007199254740993n } },
    ]);
  });

  it.each([
    ['is no JSON', 'event: thing\ndata: {\n\n', 'body /0/data: must be JSON'],
    ['lacks a member', 'event: thing\ndata: {}\n\n', /body \/0\/data\/id: is required/],
    ['lacks a field', 'data: {}\n\n', /^body \/0\/event: is required/],
  ])('refuses with 400 an event whose data %s', async (_case, body, message) => {
    await serve();

    expect(await post(body, 'text/event-stream')).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
  });
});
