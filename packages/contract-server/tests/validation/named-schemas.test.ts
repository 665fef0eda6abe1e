import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../../src/document/document.js';
import { MAX_TURN_BYTES, NamedSchemas, sizeOf } from '../../src/validation/named-schemas.js';

const text = { type: 'string', maxLength: 3 };

/** An object that is worth to be compiled by itself; the number makes no two the same. */
const large = (index: number): Schema => ({
  type: 'object',
  required: ['code'],
  additionalProperties: false,
  properties: {
    code: { type: 'string', enum: ['chf', 'eur', `x${index}`] },
    count: { type: 'integer', minimum: 0, default: index },
    ...Object.fromEntries(Array.from({ length: 12 }, (_, name) => [`a${name}`, text])),
  },
});

const members = (map: (index: number) => Schema) =>
  Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`m${index}`, map(index)]));

const right = { code: 'eur' };
const wrong = { code: 'usd', count: -1, a0: 'long', z: 1 };

/** Schemas that are cut, and values for them. */
const CASES: readonly [string, Schema, readonly unknown[]][] = [
  [
    'members',
    { type: 'object', properties: members(large), additionalProperties: false },
    [{ m1: right, m5: right }, { m1: wrong, m2: {}, m3: 1, m6: right }, 1],
  ],
  [
    'members with defaults of their own',
    { properties: members((index) => ({ ...large(index), default: { code: 'chf' } })) },
    [{}, { m2: wrong }],
  ],
  [
    'items, members of members and what is not named',
    {
      properties: members((index) => ({
        type: 'array',
        items: { type: 'object', properties: members(large) },
        minItems: index,
      })),
      additionalProperties: large(7),
    },
    [{ m1: [{ m1: right, m2: wrong }, 1], m3: [{ m3: {} }], other: wrong, another: right }],
  ],
  [
    'branches, where no default is filled in',
    {
      anyOf: [{ properties: members(large), required: ['m1'] }, { type: 'string' }],
      properties: members((index) => ({ oneOf: [large(index), large(index + 1)] })),
    },
    [{ m1: right, m2: wrong }, { m1: { code: 'x2' } }, 'a', 1],
  ],
  [
    'parts, with what none of them has named',
    {
      allOf: [{ properties: members(large) }, { if: { required: ['m1'] }, then: large(1) }],
      properties: { n: large(8) },
      unevaluatedProperties: false,
    },
    [
      { m2: right, n: right },
      { m1: right, n: wrong },
      { m2: wrong, z: 1 },
    ],
  ],
];

/** What validates as the middleware does, by the schema of this name. */
function judge(schemas: ReadonlyMap<string, Schema>, name: string) {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    useDefaults: true,
  });
  for (const [own, schema] of schemas) ajv.addSchema({ $id: `#${own}`, ...schema });
  const validate = ajv.compile({ type: 'array', items: { $ref: `#${name}` } });
  return (value: unknown) => {
    const judged = structuredClone([value]);
    validate(judged);
    const errors = validate.errors ?? [];
    return {
      judged,
      problems: errors.map(({ instancePath, keyword, message, params }) => ({
        ...{ instancePath, keyword, message, params },
      })),
    };
  };
}

describe('a large schema, cut into parts', () => {
  it.each(CASES)('has %s judged as in one piece', (_what, schema, values) => {
    const schemas = new NamedSchemas();
    schemas.add('whole', schema);
    const judgeCut = judge(schemas.all, 'whole');
    const judgeWhole = judge(new Map([['whole', schema]]), 'whole');

    const verdicts = values.map(judgeCut);

    expect(schemas.all.size).toBeGreaterThan(2);
    expect(verdicts).toEqual(values.map(judgeWhole));
  });

  it('has no part that takes longer than a turn', () => {
    const schemas = new NamedSchemas();
    for (const [what, schema] of CASES.slice(0, 3)) schemas.add(what, schema);

    expect(Math.max(...[...schemas.all.values()].map(sizeOf))).toBeLessThan(MAX_TURN_BYTES);
  });

  it('shares what is the same', () => {
    const schemas = new NamedSchemas();
    schemas.add('one', { properties: members(large) });
    const { size } = schemas.all;
    schemas.add('other', { properties: { ...members(large), other: text } });

    expect(schemas.all.size).toBe(size + 1);
  });

  it('fills in no default of a component that is referred to below anyOf', () => {
    const component = { properties: { ...members(large), one: { default: 1 } } };
    const reference = { anyOf: [{ $ref: '#component' }] };
    const schemas = new NamedSchemas();
    schemas.addComponent('component', component);
    schemas.add('whole', reference);
    const judgeWhole = judge(
      new Map<string, Schema>([
        ['component', component],
        ['whole', reference],
      ]),
      'whole',
    );

    expect(judge(schemas.all, 'whole')({ m1: right })).toEqual(judgeWhole({ m1: right }));
    expect(judgeWhole({}).judged).toEqual([{}]);
  });
});
