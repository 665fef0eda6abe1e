import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connect } from 'contract-testing/raw-http';
import { serveStream, type StreamService } from '../support/stream-service.js';

let service: StreamService;
afterEach(() => service.close());

const lines = { 'application/jsonl': { 'x-item-schema': { type: 'integer' } } };
const bytes = { 'application/octet-stream': {} };

async function* items(last: unknown): AsyncGenerator {
  yield 1;
  await new Promise(setImmediate);
  yield last;
}
async function* chunks(error?: Error): AsyncGenerator {
  yield 'a';
  await new Promise(setImmediate);
  if (error !== undefined) throw error;
  yield 'b';
}

describe('RFC 9112 §6.3 a body that ends with its connection', () => {
  it.each([
    ['items', lines, () => items(2), undefined],
    ['items, one of which is broken', lines, () => items('x'), 'ECONNRESET'],
    ['bytes', bytes, () => Readable.from(chunks()), undefined],
    ['bytes that fail', bytes, () => Readable.from(chunks(new Error('no disk'))), 'ECONNRESET'],
  ])(
    'of %s, for a client of HTTP/1.0: looks whole only where it is',
    async (_case, content, body, expected) => {
      service = await serveStream(() => ({ status: 200, body: body() }), { content });
      const client = await connect(service.url);

      client.send('GET /items HTTP/1.0\r\nHost: x\r\n\r\n');

      expect(await client.closed()).toBe(expected);
    },
  );
});
