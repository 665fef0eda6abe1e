import { describe, expect, it } from '@jest/globals';
import { parseJson } from '../../src/json/json.js';
import { judgeOf } from '../support/judge.js';
import { receive } from '../support/parameter.js';

const int64 = { type: 'integer', format: 'int64' };
const plain = { type: 'integer' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** What stands at `a` of the handler's body where 1 was sent. */
type Row = readonly [where: string, schema: object, schemas: object, sent: unknown, got: unknown];

const rows: readonly Row[] = [
  ['a member', { properties: { a: int64, b: plain } }, {}, { a: 1, b: 1 }, { a: 1n, b: 1 }],
  ['behind a reference', { properties: { a: ref('Id') } }, { Id: int64 }, { a: 1 }, { a: 1n }],
  [
    'beside a reference',
    { properties: { a: { ...ref('Id'), maximum: 5 } } },
    { Id: int64 },
    { a: 1 },
    { a: 1n },
  ],
  [
    'in $defs',
    { properties: { a: ref('H/$defs/Id') } },
    { H: { $defs: { Id: int64 } } },
    { a: 1 },
    { a: 1n },
  ],
  ['items', { properties: { a: { items: int64 } } }, {}, { a: [1, 2] }, { a: [1n, 2n] }],
  [
    'prefixItems and the items after them',
    { properties: { a: { prefixItems: [plain, int64], items: plain } } },
    {},
    { a: [1, 2, 3] },
    { a: [1, 2n, 3] },
  ],
  [
    'additionalProperties',
    { properties: { b: plain }, additionalProperties: int64 },
    {},
    { a: 1, b: 1 },
    { a: 1n, b: 1 },
  ],
  [
    'patternProperties',
    { patternProperties: { '^i\\_': int64 } },
    {},
    { i_a: 1, b: 1 },
    { i_a: 1n, b: 1 },
  ],
  ['allOf', { allOf: [{ properties: { a: int64 } }, {}] }, {}, { a: 1 }, { a: 1n }],
  [
    'a schema that contains itself',
    ref('Node'),
    { Node: { type: 'object', properties: { id: int64, next: ref('Node') } } },
    { id: 1, next: { id: 2 } },
    { id: 1n, next: { id: 2n } },
  ],
  ['uint64', { properties: { a: { ...int64, format: 'uint64' } } }, {}, { a: 1 }, { a: 1n }],
  [
    'where the value is none',
    { properties: { a: { type: ['string', 'integer'], format: 'int64' } } },
    {},
    { a: 'x' },
    { a: 'x' },
  ],
];

const branch = (kind: string, a: object) => ({
  type: 'object',
  required: ['kind', 'a'],
  properties: { kind: { const: kind }, a },
});
const branches: readonly Row[] = [
  [
    'of a constant',
    { oneOf: [branch('i', int64), branch('n', plain)] },
    {},
    { kind: 'n', a: 1 },
    { kind: 'n', a: 1 },
  ],
  [
    'of a constant, the other',
    { oneOf: [branch('i', int64), branch('n', plain)] },
    {},
    { kind: 'i', a: 1 },
    { kind: 'i', a: 1n },
  ],
  [
    'of a type',
    { properties: { a: { anyOf: [{ type: 'object', properties: { b: int64 } }, plain] } } },
    {},
    { a: 1 },
    { a: 1 },
  ],
  [
    'of required members',
    {
      anyOf: [
        { required: ['x'], properties: { x: {}, a: int64 } },
        { required: ['y'], properties: { y: {}, a: plain } },
      ],
    },
    {},
    { y: 1, a: 1 },
    { y: 1, a: 1 },
  ],
  [
    'with a constant beyond 2^53',
    { properties: { a: { enum: ['all', 1, 2n ** 53n + 1n] }, b: { const: 2n ** 53n + 1n } } },
    {},
    { a: 1, b: 2n ** 53n + 1n },
    { a: 1n, b: 2n ** 53n + 1n },
  ],
  [
    'of then',
    { if: { required: ['b'] }, then: { properties: { a: int64 } } },
    {},
    { b: 1, a: 1 },
    { b: 1, a: 1n },
  ],
  [
    'that can’t be told apart: int64 if one says so',
    { anyOf: [{ properties: { a: int64 } }, { properties: { a: plain } }] },
    {},
    { a: 1 },
    { a: 1n },
  ],
];

describe('OpenAPI 3.1.0 §4.4: a handler gets int64 as bigint', () => {
  it.each([...rows, ...branches])('%s', async (_where, schema, schemas, sent, got) => {
    const { received } = await judgeOf('3.1.0', schema, schemas);

    expect(await received(sent)).toEqual(got);
  });
});

const [one, other] = ['9007199254740992', '9007199254740993']; // of one double

/** A body, and what is wrong with it, whichever way it goes. */
const itemsRows: readonly (readonly [what: string, schema: object, body: string, told: string])[] =
  [
    ['told apart', { items: int64 }, `[${one},${other}]`, ''],
    ['told apart without a format', {}, `[${one},${other}]`, ''],
    ['told apart inside objects', {}, `[{"a":1,"b":${one}},{"b":${other},"a":1}]`, ''],
    ['the same', { items: int64 }, `[${other},${other}]`, 'duplicate'],
    [
      'the same, members in another order',
      {},
      `[{"a":1,"b":${one}},{"b":${one},"a":1}]`,
      'duplicate',
    ],
    ['told apart, but wrong', { maxItems: 1 }, `[${one},${other}]`, 'more than 1 items'],
    ['told apart, but wrong inside', { items: int64 }, `[${one},${other},"x"]`, 'must be integer'],
  ];

describe('OpenAPI 3.1.0 §4.8.24 uniqueItems beyond 2^53', () => {
  const schemaOf = (schema: object) => ({
    type: 'object',
    properties: { 'a/b': { type: 'array', uniqueItems: true, ...schema }, c: { type: 'string' } },
  });

  it.each(itemsRows)('judges a request: %s', async (_what, schema, items, problem) => {
    const { told } = await judgeOf('3.1.0', schemaOf(schema));

    const message = await told(parseJson(`{"a/b":${items}}`));

    expect(message).toMatch(problem);
    expect(message === '').toBe(problem === '');
  });

  it.each(itemsRows)('judges a response: %s', async (_what, schema, items, problem) => {
    const { answered } = await judgeOf('3.1.0', schemaOf(schema));

    const status = await answered(parseJson(`{"a/b":${items}}`));

    expect(status).toBe(problem === '' ? 200 : 500);
  });

  it('hides nothing else that is wrong', async () => {
    const { answered, told } = await judgeOf('3.1.0', schemaOf({}));
    const body = parseJson(`{"a/b":[${one},${other}],"c":1}`);

    expect(await told(body)).toBe('body /c: must be string');
    expect(await answered(body)).toBe(500);
  });

  it('judges a parameter', async () => {
    const schema = { type: 'array', items: int64, uniqueItems: true };
    const parameter = { name: 'ids', in: 'query', explode: false, schema };

    expect(await receive([parameter], { target: `?ids=${one},${other}` })).toMatchObject({
      query: { ids: [BigInt(one), BigInt(other)] },
    });
    expect(await receive([parameter], { target: `?ids=${one},${one}` })).toMatchObject({
      error: 40002,
      message: 'query /ids: must NOT have duplicate items (items ## 1 and 0 are identical)',
    });
  });
});
