import { describe, expect, it } from '@jest/globals';
import { judgeOf } from '../support/judge.js';

/** What a schema accepts and refuses, whichever way it travels. */
type Row = readonly [
  clause: string,
  schema: unknown,
  schemas: object,
  accepted: readonly unknown[],
  refused: readonly unknown[],
];

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const both: readonly Row[] = [
  [
    'allOf: every branch judges',
    { allOf: [named, { required: ['age'] }] },
    {},
    [{ name: 'a', age: 1 }],
    [{ name: 'a' }, { age: 1 }],
  ],
  [
    'oneOf: exactly one branch',
    { oneOf: [{ type: 'integer' }, { type: 'number', maximum: 5 }] },
    {},
    [6, 1.5],
    [5, 7.5, 'a'],
  ],
  ['anyOf: at least one', { anyOf: [{ type: 'integer' }, { maximum: 5 }] }, {}, [6, 1.5, 5], [7.5]],
  ['not', { type: 'object', not: { required: ['a'] } }, {}, [{}, { b: 1 }], [{ a: 1 }]],
  [
    'a schema that contains itself',
    ref('Tree'),
    { Tree: { ...named, properties: { children: { type: 'array', items: ref('Tree') } } } },
    [{ name: 'a', children: [{ name: 'b', children: [] }] }],
    [{ name: 'a', children: [{}] }],
  ],
  [
    'two schemas that contain each other',
    ref('A'),
    {
      A: { type: 'object', properties: { b: ref('B') } },
      B: { type: 'object', properties: { a: ref('A') }, additionalProperties: false },
    },
    [{ b: { a: { b: {} } } }],
    [{ b: { c: 1 } }],
  ],
  [
    'a reference deeper into a schema',
    { type: 'object', properties: { n: ref('Named/properties/name') } },
    { Named: named },
    [{ n: 'a' }],
    [{ n: 1 }],
  ],
  [
    'a reference into a path, percent-encoded',
    {
      type: 'object',
      properties: {
        status: { type: 'integer', minimum: 3 },
        again: {
          $ref: '#/paths/~1sent/post/requestBody/content/application~1json/schema/properties/status',
        },
      },
    },
    {},
    [{ again: 3 }],
    [{ again: 2 }],
  ],
  [
    'a reference to a reference',
    ref('Alias'),
    { Alias: ref('Other'), Other: ref('Named'), Named: named },
    [{ name: 'a' }],
    [{}],
  ],
  [
    'component names with dots',
    ref('a.b.c'),
    { 'a.b.c': named, a_b_c: { type: 'string' } },
    [{ name: 'a' }],
    ['a', {}],
  ],
  [
    'a component named like a prototype',
    ref('constructor'),
    { constructor: named },
    [{ name: '' }],
    [{}],
  ],
  [
    'properties that are called like keywords',
    {
      type: 'object',
      required: ['example', 'id'],
      properties: {
        example: { type: 'string' },
        examples: { type: 'array' },
        id: { type: 'integer' },
        default: { type: 'integer' },
        nullable: { type: 'boolean' },
        readOnly: { type: 'boolean' },
        discriminator: { type: 'string' },
        'x-foo': { type: 'integer' },
        properties: { type: 'object', properties: { type: { type: 'string' } } },
        $ref: { type: 'string' },
      },
      additionalProperties: false,
    },
    {},
    [
      { example: 'a', id: 1 },
      { example: 'a', id: 1, 'x-foo': 1, default: 1, $ref: '#/nowhere' },
    ],
    [
      { id: 1 },
      { example: 'a', id: 'a' },
      { example: 'a', id: 1, examples: 1 },
      { example: 'a', id: 1, nullable: 1 },
      { example: 'a', id: 1, 'x-foo': 'a' },
      { example: 'a', id: 1, properties: { type: 1 } },
      { example: 'a', id: 1, $ref: 1 },
      { example: 'a', id: 1, more: 1 },
    ],
  ],
  [
    'additionalProperties: a schema, or none allowed',
    { type: 'object', properties: { a: {} }, additionalProperties: { type: 'integer' } },
    {},
    [{ a: 'a', b: 1 }],
    [{ b: 'b' }],
  ],
  [
    'string formats',
    {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        on: { type: 'string', format: 'date' },
        mail: { type: 'string', format: 'email' },
        id: { type: 'string', format: 'uuid' },
        bytes: { type: 'string', format: 'byte' },
        secret: { type: 'string', format: 'password' },
        unknown: { type: 'string', format: 'no-such-format' },
      },
    },
    {},
    [
      { at: '2024-01-01T00:00:00Z', on: '2024-02-29', mail: 'a@b.example' },
      { id: '123e4567-e89b-12d3-a456-426614174000', bytes: 'AAECAw==', secret: '', unknown: '?' },
    ],
    [{ at: 'now' }, { at: 1 }, { on: '2023-02-29' }, { mail: 'a' }, { id: 'a' }, { bytes: 'A' }],
  ],
  [
    'int32',
    { type: 'integer', format: 'int32' },
    {},
    [-(2 ** 31), 2 ** 31 - 1],
    [2 ** 31, -(2 ** 31) - 1, 1.5, '1'],
  ],
  ['float and double', { type: 'number', format: 'float' }, {}, [1, 1.5, -1e-30], ['1', null]],
  ['enum', { enum: ['a', 1, { b: [2] }] }, {}, ['a', 1, { b: [2] }], ['b', 2, {}]],
  [
    'a pattern that the u flag doesn’t take as it stands',
    { type: 'string', pattern: '^[\\w\\-]+\\_\\@[a-z\\.]{1,}$' },
    {},
    ['a-b_@x.y'],
    ['ab@x', 'é_@x'],
  ],
];

const in30: readonly Row[] = [
  [
    'nullable adds null to the type beside it',
    { type: 'string', nullable: true, minLength: 2 },
    {},
    ['ab', null],
    ['a', 1],
  ],
  [
    'nullable without a type means nothing',
    { nullable: true, enum: ['a'] },
    {},
    ['a'],
    [null, 'b'],
  ],
  ['nullable: false', { type: 'string', nullable: false }, {}, ['a'], [null]],
  [
    'nullable dates',
    { type: 'object', properties: { at: { type: 'string', format: 'date-time', nullable: true } } },
    {},
    [{ at: null }, { at: '2024-01-01T00:00:00Z' }, {}],
    [{ at: 'now' }, { at: 1 }],
  ],
  [
    'what stands beside a reference is ignored',
    { type: 'object', properties: { n: { ...ref('Named'), required: ['age'], nullable: true } } },
    { Named: named },
    [{ n: { name: 'a' } }],
    [{ n: { age: 1 } }, { n: null }],
  ],
  [
    'exclusiveMinimum and exclusiveMaximum are switches',
    { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    {},
    [0.1, 9],
    [0, 9.1],
  ],
  ['a switch without its bound', { type: 'number', exclusiveMinimum: true }, {}, [-1], ['a']],
];

const in31: readonly Row[] = [
  ['a list of types', { type: ['string', 'null'], minLength: 2 }, {}, ['ab', null], ['a', 1]],
  ['const', { const: { a: 1 } }, {}, [{ a: 1 }], [{ a: 2 }, null]],
  ['exclusiveMinimum is a bound', { type: 'number', exclusiveMinimum: 0 }, {}, [0.1], [0]],
  [
    'what stands beside a reference applies',
    { ...ref('Named'), required: ['age'] },
    { Named: named },
    [{ name: 'a', age: 1 }],
    [{ name: 'a' }, { age: 1 }],
  ],
  [
    'a component that is a reference and more',
    ref('More'),
    { Named: named, More: { ...ref('Named'), required: ['age'] } },
    [{ name: 'a', age: 1 }],
    [{ name: 'a' }, { age: 1 }],
  ],
  [
    '$defs',
    { type: 'object', properties: { a: ref('Holder/$defs/Small') } },
    { Holder: { $defs: { Small: { type: 'integer', maximum: 9 } } } },
    [{ a: 9 }],
    [{ a: 10 }],
  ],
  [
    'boolean schemas',
    { type: 'object', properties: { any: true, none: false, also: ref('Any') } },
    { Any: true },
    [{ any: 1, also: 'a' }],
    [{ none: 1 }],
  ],
  [
    'a component that is false',
    { type: 'object', properties: { a: ref('No') } },
    { No: false },
    [{}],
    [{ a: 1 }],
  ],
  [
    'prefixItems, closed',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    {},
    [[], ['a'], ['a', 1]],
    [[1], ['a', 'b'], ['a', 1, 2]],
  ],
  [
    'prefixItems, open',
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' }, minItems: 1 },
    {},
    [['a'], ['a', 1, 2, 3]],
    [[], [1], ['a', 'b']],
  ],
  [
    'prefixItems, of an exact length',
    { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, maxItems: 1 },
    {},
    [['a']],
    [[], [1], ['a', 1]],
  ],
  [
    'unevaluatedProperties see through allOf and references',
    { allOf: [ref('Named')], properties: { age: {} }, unevaluatedProperties: false },
    { Named: named },
    [{ name: 'a', age: 1 }],
    [{ name: 'a', more: 1 }],
  ],
  [
    'if, then, else',
    {
      type: 'object',
      if: { required: ['a'] },
      then: { required: ['b'] },
      else: { required: ['c'] },
    },
    {},
    [{ a: 1, b: 1 }, { c: 1 }],
    [{ a: 1 }, {}],
  ],
  [
    'dependentRequired and dependentSchemas',
    {
      type: 'object',
      dependentRequired: { a: ['b'] },
      dependentSchemas: { c: { properties: { d: { type: 'string' } } } },
    },
    {},
    [{ a: 1, b: 1 }, { d: 1 }],
    [{ a: 1 }, { c: 1, d: 1 }],
  ],
  [
    'patternProperties and propertyNames',
    {
      type: 'object',
      patternProperties: { '^n\\_': { type: 'integer' } },
      propertyNames: { maxLength: 4 },
    },
    {},
    [{ n_a: 1, a: 'a' }],
    [{ n_a: 'a' }, { toolong: 1 }],
  ],
  [
    'contains, minContains',
    { type: 'array', contains: { type: 'integer' }, minContains: 2 },
    {},
    [[1, 'a', 2]],
    [[1, 'a']],
  ],
  [
    '$id and $comment have no effect',
    { $id: 'https://example.com/schema', $comment: 'one', type: 'integer' },
    {},
    [1],
    ['a'],
  ],
];

async function expectVerdicts([, schema, schemas, accepted, refused]: Row, openapi: string) {
  const { sent, answered } = await judgeOf(openapi, schema, schemas);
  const verdicts: [unknown, number, number][] = [];
  for (const body of [...accepted, ...refused]) {
    verdicts.push([body, await sent(body), await answered(body)]);
  }

  expect(verdicts).toEqual([
    ...accepted.map((body) => [body, 204, 200]),
    ...refused.map((body) => [body, 400, 500]),
  ]);
}

describe('OpenAPI 3.0.3 §4.7.24 Schema Object', () => {
  it.each([...both, ...in30])('%s', async (...row) => {
    await expectVerdicts(row, '3.0.3');
  });
});

describe('OpenAPI 3.1.0 §4.8.24 Schema Object', () => {
  it.each([...both, ...in31])('%s', async (...row) => {
    await expectVerdicts(row, '3.1.0');
  });
});
