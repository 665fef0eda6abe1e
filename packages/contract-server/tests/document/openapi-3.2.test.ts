import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from 'contract-testing/generate';
import { parse } from 'yaml';
import { contractTypes } from '../../src/commands/generate/contract-types.js';
import { createHttpServer, parseContract, readContract } from '../../src/index.js';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';
import { problemsOf } from '../support/contract-problems.js';
import { judgeOf } from '../support/judge.js';
import { knowsAuthorization } from '../support/strategies.js';

const FILE = fileURLToPath(
  new URL('../../../../tests/fixtures/warehouse-3.2.yaml', import.meta.url),
);
const box = { kind: 'box', id: 9007199254740993n, width: 1 };
const handlers = {
  searchCrates: () => ({ status: 200, body: crates }),
  listCrates: (request: unknown) => ((received = request), { status: 200, body: crates }),
  linkCrates: (request: unknown) => ((received = request), { status: 204 }),
  watchCrates: () => ({ status: 200, contentType, body: each(...items) }),
  addCrates: async ({ body }: { body: unknown }) => {
    for await (const item of body as AsyncIterable<unknown>) items.push(item);
    return { status: 204 };
  },
};
let crates: unknown[];
let items: unknown[];
let contentType: string;
let received: unknown;

async function* each(...all: unknown[]): AsyncGenerator {
  for (const item of all) yield await Promise.resolve(item);
}

let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const { app } = await serveFixture(parse(readFileSync(FILE, 'utf8')) as object, handlers, {
    strategies: { login: knowsAuthorization({ 'Bearer a-token': 'someone' }) },
  });
  const options = { requestTimeoutMs: 10_000, errorBody: () => ({}), onRefused: () => undefined };
  ({ url, close } = await listen(createHttpServer(app, options)));
});
afterAll(() => close());

async function ask(
  target: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(url + target, init);
  return { status: response.status, text: await response.text().catch(String) };
}

const json = (body: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

describe('OpenAPI 3.2.0 §4.1.1 $self', () => {
  it('references by the document’s own URI lead to the same place', async () => {
    [contentType, items] = ['application/jsonl', [box, { kind: 'box' }]];

    expect((await ask('/crates/events')).text).toMatch(/terminated/);
  });
});

describe('OpenAPI 3.2.0 §4.7.1 media type components', () => {
  it('stand where something refers to them', async () => {
    crates = [];

    const good = await ask('/crates', { method: 'QUERY', ...json({ shelf: 1 }) });
    const bad = await ask('/crates', { method: 'QUERY', ...json({}) });

    expect([good.status, bad.status]).toEqual([200, 400]);
  });
});

describe('OpenAPI 3.2.0 §4.9.1 query and additionalOperations', () => {
  it('are methods like any other', async () => {
    const linked = await ask(`/crates?${encodeURIComponent('{"to":1}')}`, { method: 'LINK' });
    const options = await fetch(`${url}/crates`, { method: 'OPTIONS' });
    const refused = await ask('/crates', { method: 'UNLINK' });

    expect(linked.status).toBe(204);
    expect(options.headers.get('allow')).toBe('GET, QUERY, LINK, HEAD, OPTIONS');
    expect(refused.status).toBe(405);
  });

  it('that no request can have are refused at boot', async () => {
    const operation = { operationId: 'a', responses: { default: engineResponses['400'] } };
    const paths = { '/a': { additionalOperations: { brew: operation } } };
    const contract = contractOf(paths, { openapi: '3.2.0' });

    expect(await problemsOf(serveFixture(contract, { a: () => undefined }))).toEqual([
      expect.stringContaining('method brew'),
    ]);
  });
});

describe('OpenAPI 3.2.0 §4.12.1 querystring', () => {
  it.each([
    ['?shelf=9007199254740993&label=a&label=b', { shelf: 9007199254740993n, label: ['a', 'b'] }],
    ['', undefined],
  ])('a form %s is one object', async (query, filter) => {
    crates = [];

    const { status } = await ask(`/crates${query}`);

    expect(status).toBe(200);
    expect(received).toMatchObject({ query: filter === undefined ? {} : { filter } });
  });

  it.each(['?shelf=x', '?label=abcdef', '?other=1'])('a form %s is refused', async (query) => {
    expect((await ask(`/crates${query}`)).status).toBe(400);
  });

  it.each([
    ['{"to":9007199254740993}', 204],
    ['{"to":"x"}', 400],
    ['{', 400],
  ])('JSON %s is one value', async (query, status) => {
    const answer = await ask(`/crates?${encodeURIComponent(query)}`, { method: 'LINK' });

    expect(answer.status).toBe(status);
  });

  it('beside another parameter in the query is refused at boot', async () => {
    const text = { 'text/plain': { schema: { type: 'string' } } };
    const parameters = [{ name: 'all', in: 'querystring', content: text }];
    // Of those beside each other the document's own schema says it.
    const shared = [{ name: 'page', in: 'query', schema: { type: 'integer' } }];
    const responses = { default: engineResponses['400'] };
    const item = { parameters: shared, get: { operationId: 'a', parameters, responses } };
    const contract = contractOf({ '/a': item }, { openapi: '3.2.0' });

    expect(await problemsOf(serveFixture(contract, { a: () => undefined }))).toEqual([
      expect.stringContaining('is the whole query'),
    ]);
  });
});

describe('OpenAPI 3.2.0 §4.14.1 itemSchema', () => {
  it('judges each item of a response', async () => {
    [contentType, items] = ['text/event-stream', [{ event: 'moved', data: box }]];

    const { text } = await ask('/crates/events');

    expect(text).toBe('event: moved\ndata: {"kind":"box","id":9007199254740993,"width":1}\n\n');
  });

  it('judges each item of a request', async () => {
    items = [];
    const headers = { 'Content-Type': 'application/jsonl' };
    const post = (body: string) => ask('/crates/events', { method: 'POST', headers, body });

    const good = await post('{"kind":"box","id":9007199254740993,"width":1}\n');
    const bad = await post('{"kind":"box","width":1}\n');

    expect([good.status, bad.status]).toEqual([204, 400]);
    expect(items).toEqual([box]);
  });

  it.each([
    ['a schema of items', 'application/json', { itemSchema: {} }, /no sequence/],
    ['a schema of the whole', 'application/jsonl', { itemSchema: {}, schema: {} }, /together/],
  ])('refuses at boot %s where there can be none', async (_case, mediaType, object, problem) => {
    const responses = {
      '200': { description: '', content: { [mediaType]: object } },
      default: engineResponses['400'],
    };
    const contract = contractOf(
      { '/a': { get: { operationId: 'a', responses } } },
      { openapi: '3.2.0' },
    );

    expect(await problemsOf(serveFixture(contract, { a: () => undefined }))).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});

describe('OpenAPI 3.2.0 §4.15 prefixEncoding, itemEncoding and encodings of parts of parts', () => {
  const text = { contentType: 'text/plain' };

  it.each([
    ['prefixEncoding', 'multipart/mixed', { itemSchema: {}, prefixEncoding: [text] }],
    ['itemEncoding', 'multipart/mixed', { itemSchema: {}, itemEncoding: text }],
    [
      'itemEncoding in the encoding of pages',
      'multipart/form-data',
      { schema: { type: 'object' }, encoding: { pages: { ...text, itemEncoding: text } } },
    ],
    [
      'encoding in the encoding of pages',
      'multipart/form-data',
      { schema: { type: 'object' }, encoding: { pages: { encoding: { first: text } } } },
    ],
  ])('refuses %s of %s at boot, by name, in requests and responses', async (name, type, object) => {
    const content = { [type]: object };
    const responses = { default: engineResponses['400'] };
    const sent = { requestBody: { content }, responses };
    const answered = { responses: { ...responses, '200': { description: '', content } } };
    const contract = contractOf(
      {
        '/a': {
          post: { operationId: 'send', ...sent },
          get: { operationId: 'answer', ...answered },
        },
      },
      { openapi: '3.2.0' },
    );
    const handler = () => undefined;

    expect(await problemsOf(serveFixture(contract, { send: handler, answer: handler }))).toEqual(
      ['send', 'answer'].map((): unknown =>
        expect.stringContaining(`${type} has ${name}, which is not supported`),
      ),
    );
  });
});

describe('OpenAPI 3.2.0 §4.25.1 defaultMapping', () => {
  it.each([
    ['without the property', { note: 'a' }, 200],
    ['with another value of it', { kind: 'bag', note: 'a' }, 200],
    ['with a value that is mapped', { kind: 'box', note: 'a' }, 500],
    ['that breaks the default', { kind: 'bag' }, 500],
    ['that its mapping takes', { kind: 'barrel', litres: 1.5 }, 200],
  ])('a value %s', async (_case, crate, status) => {
    crates = [crate];

    expect((await ask('/crates')).status).toBe(status);
  });
});

describe('OpenAPI 3.2.0 what is new and says nothing of exchanges', () => {
  it('is read: summaries, tags with a parent and a kind, the device flow', async () => {
    const document = await readContract(FILE);

    await expect(parseContract(document.root)).resolves.toBeDefined();
  });

  it('is checked against the document’s own schema', async () => {
    const contract = contractOf({}, { openapi: '3.2.0', tags: [{ name: 'a', parent: 1 }] });

    expect(await problemsOf(parseContract(contract))).toEqual([
      expect.stringContaining('/tags/0/parent'),
    ]);
  });
});

describe('OpenAPI 3.2.0, in types', () => {
  it('has an operation of every method, a querystring as a parameter, and items', async () => {
    const types = await contractTypes(await readContract(FILE));

    for (const id of Object.keys(handlers))
      expect(types).toMatch(new RegExp(`^    ${id}: \\{`, 'm'));
    expect(types).toMatch(/"text\/event-stream": AsyncIterable</);
    expect(types).toMatch(/filter\?: \{\s+\/\*\* Format: int64 \*\/\s+shelf\?: bigint/);
  });
});

describe('a contract of OpenAPI 3.0 that is converted to 3.1 and to 3.2', () => {
  /** What each version says in its own words. */
  const said = {
    nullable: [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    above: [
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    below: [
      { type: 'integer', format: 'int64', maximum: 9, exclusiveMaximum: true },
      { type: 'integer', format: 'int64', exclusiveMaximum: 9 },
    ],
    choice: [
      { nullable: true, type: 'string', enum: ['a', null] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    date: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date' },
    ],
  };
  const bodies = [
    ...[{ nullable: null }, { nullable: 'a' }, { nullable: 1 }, { above: 1 }, { above: 1.5 }],
    ...[{ above: null }, { below: 9 }, { below: 8 }, { below: 2n ** 63n }, { below: -(2n ** 63n) }],
    ...[{ choice: 'a' }, { choice: null }, { choice: 'b' }, { date: '2024-02-30' }],
    ...[{ date: '2024-02-29' }, { other: 1 }, [], 'a'],
  ];

  it('gives the same verdicts', async () => {
    const judges = await Promise.all(
      ['3.0.3', '3.1.0', '3.2.0'].map((version, index) => {
        const properties = Object.fromEntries(
          Object.entries(said).map(([name, forms]) => [name, forms[Math.min(index, 1)]]),
        );
        return judgeOf(version, { type: 'object', additionalProperties: false, properties });
      }),
    );

    const verdicts = await Promise.all(
      judges.map(async ({ sent, answered }) => {
        const all: number[] = [];
        for (const body of bodies) all.push(await sent(body), await answered(body));
        return all;
      }),
    );

    expect(new Set(verdicts[0])).toEqual(new Set([200, 204, 400, 500]));
    expect(verdicts[1]).toEqual(verdicts[0]);
    expect(verdicts[2]).toEqual(verdicts[0]);
  });
});
