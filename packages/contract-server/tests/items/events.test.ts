import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EventSource } from 'eventsource';
import { OpenStreams } from '../../src/index.js';
import {
  serveStream,
  type StreamRequest,
  type StreamService,
  type StreamServiceOptions,
} from '../support/stream-service.js';

const generic = {
  type: 'object',
  required: ['data'],
  properties: {
    data: { type: 'string' },
    event: { type: 'string' },
    id: { type: 'string' },
    retry: { type: 'integer', minimum: 0 },
  },
};
const plain = { allOf: [generic], properties: { data: { maxLength: 20 } } };
const json = (contentSchema: object) => ({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema,
});
const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
/** As the standard's own example: what the data is depends on the event. */
const kinds = {
  $ref: '#/components/schemas/Event',
  required: ['event'],
  oneOf: [
    { properties: { event: { const: 'text' } } },
    {
      properties: { event: { const: 'thing' }, data: json({ $ref: '#/components/schemas/Thing' }) },
    },
    { properties: { event: { const: 'error' }, data: json({ required: ['error'] }) } },
  ],
};
const schemas = { Event: generic, Thing: thing };

let service: StreamService;
async function serve(
  schema: object,
  handler: (request: StreamRequest) => unknown,
  options: StreamServiceOptions = {},
): Promise<StreamService> {
  const content = { 'text/event-stream': { 'x-item-schema': schema } };
  service = await serveStream(handler, { content, schemas, ...options });
  return service;
}
afterEach(() => service.close());

async function* each(...items: unknown[]): AsyncGenerator {
  for (const item of items) yield await Promise.resolve(item);
}

/** Serves these events, and returns what is read of them. */
async function textOf(schema: object, ...events: unknown[]): Promise<string> {
  await serve(schema, () => ({ status: 200, body: each(...events) }));
  return (await fetch(service.url)).text();
}

describe('OpenAPI 3.2.0 §4.14.4 Server-Sent Events', () => {
  it.each([
    [{ data: 'one' }, 'data: one\n\n'],
    [{ data: 'one\ntwo\n' }, 'data: one\ndata: two\ndata: \n\n'],
    [{ data: '' }, 'data: \n\n'],
    [{ data: ' x' }, 'data:  x\n\n'],
    [{ event: 'a', id: '', retry: 1000, data: '🌵' }, 'event: a\nid: \nretry: 1000\ndata: 🌵\n\n'],
  ])('writes %j', async (event, text) => {
    expect(await textOf(plain, event)).toBe(text);
    expect(service.faults).toEqual([]);
  });

  it.each([
    ['its schema refuses', { data: 'x'.repeat(21) }, '/body/0/data', /20 characters/],
    ['lacks a field', { id: '1' }, '/body/0/data', /required/],
    ['has another field', { data: '', name: 'a' }, '/body/0', /no field name/],
    ['has half a line break in its data', { data: 'a\rb' }, '/body/0', /can't be sent/],
    ['has a line break in its id', { data: '', id: '1\n2' }, '/body/0', /can't be sent/],
    ['has data that is no text', { data: { id: 1 } }, '/body/0', /must be a string/],
    ['waits a broken time', { data: '', retry: 1.5 }, '/body/0', /integer, not 1.5/],
  ])('breaks the connection at an event that %s', async (_case, event, pointer, message) => {
    await expect(textOf(plain, event)).rejects.toThrow('terminated');

    expect(service.faults).toEqual([
      expect.objectContaining({
        item: 0,
        problems: [expect.objectContaining({ pointer, message: expect.stringMatching(message) })],
      }),
    ]);
  });

  it('judges JSON in the data by its own schema, and writes it exactly', async () => {
    const text = await textOf(kinds, { event: 'thing', data: { id: 2n ** 63n - 1n, name: 'a' } });

    expect(text).toBe('event: thing\ndata: {"id":9223372036854775807,"name":"a"}\n\n');
  });

  it.each([
    ['a member that is wrong', { id: 1, name: 2 }, '/body/0/data/name', 'must be string'],
    ['a member that is missing', {}, '/body/0/data/id', 'is required'],
    ['a number beyond int64', { id: 2n ** 63n }, '/body/0/data/id', /9223372036854775807/],
    ['text that is no JSON', 'hello', '/body/0/data', 'must be JSON'],
  ])('refuses JSON data with %s', async (_case, data, pointer, message) => {
    const text = await textOf(kinds, { event: 'thing', data });

    expect(text).toMatch(/^event: error\ndata: \{"error":50001,/);
    expect(service.faults[0]?.problems).toContainEqual(
      expect.objectContaining({ pointer, message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ['text', 'hello', 'hello'],
    ['text', '{"id":1}', '{"id":1}'],
    ['text', '"', '"'],
  ])('leaves text as it is where the event’s data is text', async (event, data, written) => {
    expect(await textOf(kinds, { event, data })).toBe(`event: ${event}\ndata: ${written}\n\n`);
  });

  it('tells JSON from the text that ends a stream', async () => {
    const schema = { properties: { data: { oneOf: [json(thing), { const: '[DONE]' }] } } };

    const text = await textOf(schema, { data: { id: 1 } }, { data: '[DONE]' });

    expect(text).toBe('data: {"id":1}\n\ndata: [DONE]\n\n');
  });

  it('writes a text as JSON where the contract says that it is', async () => {
    expect(await textOf({ properties: { data: json({ type: 'string' }) } }, { data: 'a\rb' })).toBe(
      'data: "a\\rb"\n\n',
    );
  });

  it('is read by an EventSource, which comes back with the last id when the stream ends', async () => {
    const lastIds: (string | undefined)[] = [];
    await serve(kinds, ({ headers }) => {
      const last = headers['Last-Event-ID'];
      lastIds.push(last);
      const next = Number(last ?? 0) + 1;
      const event = { event: 'thing', id: String(next), data: { id: next }, retry: 1 };
      return { status: 200, body: each(event) };
    });
    const source = new EventSource(service.url);
    const events: MessageEvent[] = [];

    await new Promise<void>((resolve) => {
      source.addEventListener('thing', (event) => {
        if (events.push(event) === 3) resolve();
      });
    });
    source.close();

    expect(events.map(({ data }) => String(data))).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
    expect(lastIds.slice(0, 3)).toEqual([undefined, '1', '2']);
    expect(service.faults).toEqual([]);
  });

  it('is read by curl as it comes', async () => {
    await serve(plain, () => ({ status: 200, body: each({ data: 'a' }, { data: 'b' }) }));

    const { stdout } = await promisify(execFile)('curl', ['-sN', service.url]);

    expect(stdout).toBe('data: a\n\ndata: b\n\n');
  });

  it('has comments while nothing happens', async () => {
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    async function* body(): AsyncGenerator {
      await stopped;
      yield { data: 'at last' };
    }
    const streams = new OpenStreams({ heartbeatMs: 20 });
    await serve(plain, () => ({ status: 200, body: body() }), { streams });
    const reader = (await fetch(service.url)).body?.getReader();

    const first = await reader?.read();
    stop();
    let text = '';
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      text += Buffer.from(part.value).toString();
    }

    expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^(:\n\n)+$/);
    expect(text).toMatch(/^(:\n\n)*data: at last\n\n$/);
  });

  it('ends, whole, when the service stops', async () => {
    let signal: AbortSignal | undefined;
    async function* body(request: StreamRequest): AsyncGenerator {
      yield { data: 'a' };
      await once(request.signal, 'abort');
      throw new Error('nobody waits for this any more');
    }
    await serve(plain, (request) => {
      signal = request.signal;
      return { status: 200, body: body(request) };
    });
    const response = await fetch(service.url);
    const reader = response.body?.getReader();
    await reader?.read();

    service.streams.end();

    expect((await reader?.read())?.done).toBe(true);
    expect(signal?.aborted).toBe(true);
    expect(service.faults).toEqual([]);
  });

  it('gives a declared Last-Event-ID as the contract declares it', async () => {
    const parameters = [
      { name: 'last-event-id', in: 'header', schema: { type: 'integer', format: 'int64' } },
    ];
    let received: unknown;
    await serve(
      plain,
      ({ headers }) => {
        received = headers;
        return { status: 200, body: each() };
      },
      { operation: { parameters } },
    );

    const taken = await fetch(service.url, { headers: { 'Last-Event-ID': '9007199254740993' } });
    const refused = await fetch(service.url, { headers: { 'Last-Event-ID': 'x' } });

    expect([taken.status, refused.status]).toEqual([200, 400]);
    expect(received).toEqual({ 'last-event-id': 9007199254740993n });
  });
});
