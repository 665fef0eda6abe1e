import { once } from 'node:events';
import { get } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OpenStreams } from '../../src/index.js';
import {
  serveStream,
  type StreamRequest,
  type StreamService,
  type StreamServiceOptions,
} from '../support/stream-service.js';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string', maxLength: 5 } },
};
const lines = { 'application/jsonl': { 'x-item-schema': thing } };

let service: StreamService;
async function serve(
  handler: (request: StreamRequest) => unknown,
  options: StreamServiceOptions = {},
): Promise<StreamService> {
  service = await serveStream(handler, { content: lines, ...options });
  return service;
}
afterEach(() => service.close());

async function* each(...items: unknown[]): AsyncGenerator {
  for (const item of items) yield await Promise.resolve(item);
}

const answer =
  (...items: unknown[]) =>
  () => ({ status: 200, body: each(...items) });

/** Some items that never end, and when their handler was told to stop. */
function endless(first: unknown[] = []): { body: AsyncGenerator; ended: Promise<void> } {
  let end: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* body(): AsyncGenerator {
    try {
      yield* first;
      for (;;) yield { id: await new Promise((resolve) => setTimeout(resolve, 5, 1)) };
    } finally {
      end();
    }
  }
  return { body: body(), ended };
}

describe('OpenAPI 3.2.0 §4.14.3.1 Sequential Media Types, in responses', () => {
  it.each([
    ['application/jsonl', '{"id":1}\n{"id":2}\n'],
    ['application/x-ndjson', '{"id":1}\n{"id":2}\n'],
    ['application/json-seq', '\x1e{"id":1}\n\x1e{"id":2}\n'],
    ['application/geo+json-seq', '\x1e{"id":1}\n\x1e{"id":2}\n'],
  ])('sends each item as %s has it', async (mediaType, text) => {
    await serve(answer({ id: 1 }, { id: 2 }), {
      content: { [mediaType]: { 'x-item-schema': thing } },
    });

    const response = await fetch(service.url);

    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await response.text()).toBe(text);
    expect(service.faults).toEqual([]);
  });

  it('sends int64 exactly', async () => {
    await serve(answer({ id: 9223372036854775807n }, { id: -9223372036854775808n }));

    const response = await fetch(service.url);

    expect(await response.text()).toBe('{"id":9223372036854775807}\n{"id":-9223372036854775808}\n');
  });

  it('sends an item as soon as it is there', async () => {
    let release = (): void => undefined;
    const second = new Promise<void>((resolve) => (release = resolve));
    async function* body(): AsyncGenerator {
      yield { id: 1 };
      await second;
      yield { id: 2 };
    }
    await serve(() => ({ status: 200, body: body() }));

    const reader = (await fetch(service.url)).body?.getReader();
    const first = await reader?.read();
    release();
    const last = await reader?.read();

    expect(String(Buffer.from(first?.value ?? []))).toBe('{"id":1}\n');
    expect(String(Buffer.from(last?.value ?? []))).toBe('{"id":2}\n');
  });

  it.each([
    ['its schema refuses', { id: 2, name: 'abcdef' }, '/body/1/name', /5 characters/],
    ['lacks a member', {}, '/body/1/id', /required/],
    ['is beyond int64', { id: 2n ** 63n }, '/body/1/id', /9223372036854775807/],
    ['can’t be written', undefined, '/body/1', /./],
  ])(
    'breaks the connection at an item that %s, and logs which it is',
    async (_case, item, pointer, message) => {
      await serve(answer({ id: 1 }, item, { id: 3 }));
      const response = await fetch(service.url);

      await expect(response.text()).rejects.toThrow('terminated');

      expect(service.faults).toEqual([
        {
          operationId: 'items',
          status: 200,
          item: 1,
          problems: [expect.objectContaining({ pointer, message: expect.stringMatching(message) })],
        },
      ]);
    },
  );

  it('sends the items before a broken one', async () => {
    await serve(answer({ id: 1 }, {}));

    // fetch throws away what it has read when the connection breaks.
    const received = await new Promise((resolve) => {
      get(service.url, (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => (text += chunk));
        res.on('error', () => {
          resolve(text);
        });
      });
    });

    expect(received).toBe('{"id":1}\n');
  });

  it('breaks the connection where the handler throws, and logs what', async () => {
    const error = new Error('the disk is full');
    async function* body(): AsyncGenerator {
      yield await Promise.resolve({ id: 1 });
      throw error;
    }
    await serve(() => ({ status: 200, body: body() }));

    await expect((await fetch(service.url)).text()).rejects.toThrow('terminated');

    expect(service.faults).toEqual([{ operationId: 'items', status: 200, item: 1, error }]);
  });

  it.each([
    ['a list', [{ id: 1 }]],
    ['text', '{"id":1}\n'],
  ])('answers 500 for %s in place of an async iterable', async (_case, body) => {
    await serve(() => ({ status: 200, body }));

    const response = await fetch(service.url);

    expect(response.status).toBe(500);
  });

  it('ends the items where the response can’t be sent', async () => {
    const { body, ended } = endless();
    await body.next();
    await serve(() => ({ status: 200, headers: { 'X-Undeclared': '1' }, body }));

    const response = await fetch(service.url);

    expect(response.status).toBe(500);
    await ended;
  });

  it('ends the items when the client has gone', async () => {
    const { body, ended } = endless([{ id: 1 }]);
    await serve(() => ({ status: 200, body }));
    const client = new AbortController();
    const reader = (await fetch(service.url, { signal: client.signal })).body?.getReader();
    await reader?.read();

    client.abort();

    await ended;
    expect(service.faults).toEqual([]);
  });

  it('tells a handler that waits for its next item that the client has gone', async () => {
    const told = new Promise<void>((resolve) => {
      async function* body(signal: AbortSignal): AsyncGenerator {
        yield { id: 1 };
        await once(signal, 'abort');
        resolve();
        throw signal.reason;
      }
      void serve(({ signal }) => ({ status: 200, body: body(signal) })).then(async () => {
        const client = new AbortController();
        const reader = (await fetch(service.url, { signal: client.signal })).body?.getReader();
        await reader?.read();
        client.abort();
      });
    });

    await told;

    expect(service.faults).toEqual([]);
  });

  it('reads no more items than the client takes', async () => {
    let made = 0;
    async function* body(): AsyncGenerator {
      for (;;) yield await Promise.resolve({ id: ++made, note: 'x'.repeat(100_000) });
    }
    await serve(() => ({ status: 200, body: body() }));

    const response = await fetch(service.url);
    const before = await settled(() => made);
    const reader = response.body?.getReader();
    while (made === before) await reader?.read();

    expect(before).toBeLessThan(200);
    await reader?.cancel();
  });

  it('answers HEAD with the head alone', async () => {
    const { body, ended } = endless();
    await body.next();
    await serve(() => ({ status: 200, body }));

    const response = await fetch(service.url, { method: 'HEAD' });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/jsonl');
    await ended;
  });

  it('doesn’t count a stream among the requests in flight', async () => {
    const { body } = endless([{ id: 1 }]);
    const bodies = [body, each({ id: 2 })];
    await serve(() => ({ status: 200, body: bodies.shift() }), { maxRequestsInFlight: 1 });
    const client = new AbortController();
    await fetch(service.url, { signal: client.signal });

    const response = await fetch(service.url);

    expect(await response.text()).toBe('{"id":2}\n');
    client.abort();
  });

  it('refuses with 503 a stream more than may be open, and takes it when one has ended', async () => {
    const { body, ended } = endless([{ id: 1 }]);
    const bodies = [body, each({ id: 2 }), each({ id: 3 })];
    await serve(() => ({ status: 200, body: bodies.shift() }), {
      streams: new OpenStreams({ maxStreams: 1 }),
    });
    const client = new AbortController();
    await fetch(service.url, { signal: client.signal });

    const refused = await fetch(service.url);
    client.abort();
    await ended;
    const taken = await fetch(service.url);

    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: 50306 });
    expect(await taken.text()).toBe('{"id":3}\n');
  });

  it('leaves it to the handler to end when the service stops', async () => {
    async function* body(signal: AbortSignal): AsyncGenerator {
      yield { id: 1 };
      await once(signal, 'abort');
      yield { id: 2 };
    }
    await serve(({ signal }) => ({ status: 200, body: body(signal) }));
    const reader = (await fetch(service.url)).body?.getReader();
    await reader?.read();

    service.streams.end();

    const last = await reader?.read();
    expect(String(Buffer.from(last?.value ?? []))).toBe('{"id":2}\n');
    expect((await reader?.read())?.done).toBe(true);
  });
});

/** A figure once it has stopped changing. */
async function settled(read: () => number): Promise<number> {
  for (let before = -1; ;) {
    const now = read();
    if (now === before) return now;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
