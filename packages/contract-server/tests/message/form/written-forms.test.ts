import { beforeAll, describe, expect, it } from '@jest/globals';
import { contractClient, type ContractClient } from 'contract-testing';
import { contractOf, engineResponses, serveFixture } from '../../support/fixture.js';
import { readFiles, type ReceivedForm } from '../../support/form.js';

type Untyped = Record<string, unknown>;

const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const point = { type: 'object', properties: { x: { type: 'number' }, 'y z': text } };
const SCHEMAS: Untyped = {
  text,
  int64,
  flag: { type: ['boolean', 'null'] },
  texts: { type: 'array', items: text },
  integers: { type: 'array', items: int64 },
  point,
  points: { type: 'array', items: point },
  lists: { type: 'array', items: { type: 'array', items: int64 } },
  any: { oneOf: [text, int64, point] },
};
const VALUES: readonly (readonly [string, unknown])[] = [
  ['text', 'a&b=c+d e,f|g%20"ü\r\n'],
  ['text', ''],
  ['int64', 9223372036854775807n],
  ['flag', true],
  ['flag', null],
  ['texts', ['a', 'b']],
  ['texts', ['one']],
  ['texts', ['a&b', 'ü=%', '']],
  ['integers', [9007199254740993n, -1n]],
  ['integers', [1n]],
  ['point', { x: 1.5, 'y z': 'a&[b]' }],
  ['points', [{ x: 1 }, { 'y z': 'ü' }]],
  ['points', [{ x: 1 }]],
  ['lists', [[1n, 2n], []]],
  ['lists', []],
  ['any', 'text'],
  ['any', 5n],
  ['any', { x: 1 }],
];
const ENCODINGS: readonly (Untyped | undefined)[] = [
  undefined,
  { contentType: 'application/json' },
  { style: 'form' },
  { style: 'form', explode: false },
  { style: 'spaceDelimited', explode: false },
  { style: 'pipeDelimited', explode: false },
  { style: 'deepObject', explode: true },
  { allowReserved: true },
];

/** What no text says: JSON alone nests, and only objects are deep. */
function isSayable(kind: string, encoding: Untyped = {}): boolean {
  const { style = 'form', contentType } = encoding;
  if (contentType !== undefined) return true;
  const isStyled = Object.keys(encoding).length > 0;
  if (kind === 'lists') return false;
  if (style === 'deepObject') return kind === 'point';
  if (!isStyled) return true;
  if (kind === 'points' || kind === 'any') return false;
  // The members of a whole form can be those of one object only, and spaces can't part a name with one.
  if (kind === 'point') return style === 'form' ? 'style' in encoding : style === 'pipeDelimited';
  return true;
}

interface Case {
  readonly field: string;
  readonly encoding: Untyped | undefined;
  readonly kind: string;
  readonly value: unknown;
}

const CASES: readonly Case[] = ENCODINGS.flatMap((encoding, index) =>
  VALUES.filter(([kind]) => isSayable(kind, encoding)).map(([kind, value]) => ({
    field: `${kind}${index}`,
    encoding,
    kind,
    value,
  })),
);

/** A service that has got a form, and a client of it. */
async function serve(mediaType: string, openapi: string, cases = CASES) {
  const encoding = Object.fromEntries(cases.map((one) => [one.field, one.encoding ?? {}]));
  const properties = Object.fromEntries(cases.map(({ field, kind }) => [field, SCHEMAS[kind]]));
  const schema = { type: 'object', additionalProperties: false, properties };
  const contract = {
    ...contractOf({
      '/form': {
        post: {
          operationId: 'postForm',
          requestBody: { required: true, content: { [mediaType]: { schema, encoding } } },
          responses: { ...engineResponses, '204': { description: 'Done.' } },
        },
      },
    }),
    openapi,
  };
  const received: ReceivedForm[] = [];
  const { app } = await serveFixture(contract, {
    postForm: async ({ body }) => {
      received.push(await readFiles(body as ReceivedForm));
      return { status: 204 };
    },
  });
  const api: ContractClient<Untyped> = contractClient<Untyped>(app, { contract });
  return { api, received };
}

describe.each([
  ['application/x-www-form-urlencoded', '3.1.0'],
  ['multipart/form-data', '3.1.0'],
  ['multipart/form-data', '3.2.0'],
])('a form that the client writes: %s, OpenAPI %s', (mediaType, openapi) => {
  let service: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    service = await serve(mediaType, openapi);
  });

  it.each(CASES.map((one) => [one.kind, one.encoding, one.value, one.field]))(
    'is read as it was meant: %s %j',
    async (_kind, _encoding, value, field) => {
      const answer = await service.api.postForm?.({ body: { [String(field)]: value } });

      expect(answer).toMatchObject({ status: 204 });
      expect(service.received.at(-1)).toEqual({ [String(field)]: value });
    },
  );

  it('is not sent where an item has the delimiter in it', async () => {
    const field = CASES.find(
      ({ kind, encoding }) => kind === 'texts' && encoding?.style === 'pipeDelimited',
    )?.field;

    const sending = service.api.postForm?.({ body: { [String(field)]: ['a|b'] } });

    await expect(sending).rejects.toThrow(
      `${field} can't be written in style pipeDelimited: "a|b" has its delimiter`,
    );
  });
});

it('has no styles in parts before OpenAPI 3.1, where they are ignored', async () => {
  const { api, received } = await serve('multipart/form-data', '3.0.3', [
    { field: 'texts', encoding: { style: 'pipeDelimited' }, kind: 'texts', value: ['a|b', 'c'] },
  ]);

  await api.postForm?.({ body: { texts: ['a|b', 'c'] } });

  expect(received).toEqual([{ texts: ['a|b', 'c'] }]);
});
