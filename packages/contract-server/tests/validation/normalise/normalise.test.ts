import { describe, expect, it } from '@jest/globals';
import { formatNames } from 'ajv-formats/dist/formats.js';
import { CHECKED_FORMATS } from '../../../src/validation/normalise/formats.js';
import { unicodePattern } from '../../../src/schema/patterns.js';
import { judgeOf } from '../../support/judge.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const pet = (kind: string) => ({
  type: 'object',
  required: ['kind', kind],
  properties: { kind: { type: 'string' }, [kind]: { type: 'integer', default: 1 } },
});

function proveDiscriminator(openapi: string): void {
  const schemas = { Cat: pet('lives'), Dog: pet('tricks') };
  const oneOf = [ref('Cat'), ref('Dog')];

  it.each([
    ['by the name of the schema', { propertyName: 'kind' }, 'Cat', 'Dog'],
    [
      'by a mapping to references',
      {
        propertyName: 'kind',
        mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
      },
      'cat',
      'dog',
    ],
    ['by a mapping to names', { propertyName: 'kind', mapping: { c: 'Cat' } }, 'c', 'Dog'],
  ])('chooses the branch %s, deep in a body', async (_case, discriminator, cat, dog) => {
    const schema = { type: 'object', properties: { pet: { oneOf, discriminator } } };

    const { sent, answered, told } = await judgeOf(openapi, schema, schemas);

    expect(await sent({ pet: { kind: cat, lives: 1 } })).toBe(204);
    expect(await sent({ pet: { kind: dog, tricks: 1 } })).toBe(204);
    expect(await sent({ pet: { kind: cat, tricks: 1 } })).toBe(400);
    expect(await answered({ pet: { kind: dog, lives: 1 } })).toBe(500);
    expect(await told({ pet: { kind: dog } })).toBe('body /pet/tricks: is required');
    expect(await told({ pet: { kind: 'fish' } })).toMatch(
      /^body \/pet\/kind: must be equal to one/,
    );
    expect(await told({ pet: 1 })).toBe('body /pet: must be object');
    expect(await told({ pet: {} })).toBe(`body /pet/kind: is required, one of: ${cat}, ${dog}`);
  });

  it.each([
    ['by constants of inline branches', {}],
    ['by constants, whatever its mapping says', { mapping: { cat: 'Fish' } }],
  ])('chooses the branch %s, and tells of that branch alone', async (_case, more) => {
    const kinds = (...values: string[]) => ({ type: 'string', enum: values });
    const cat = { ...pet('lives'), properties: { kind: kinds('cat', 'lion') } };
    const dog = { allOf: [pet('tricks'), { properties: { kind: kinds('dog') } }] };
    const schema = { oneOf: [cat, dog], discriminator: { propertyName: 'kind', ...more } };

    const { sent, told, notes } = await judgeOf(openapi, schema);

    expect(notes).toEqual([]);
    expect(await sent({ kind: 'lion', lives: 1 })).toBe(204);
    expect(await told({ kind: 'dog' })).toBe('body /tricks: is required');
    expect(await told({ kind: 'fish' })).toMatch(/values: cat, lion, dog$/);
    expect(await told({})).toBe('body /kind: is required, one of: cat, lion, dog');
  });

  it.each([
    ['inline branches', { oneOf: [...oneOf, { type: 'boolean' }] }, {}],
    ['a mapping that leads nowhere', { anyOf: oneOf }, { mapping: { a: 'Fish' } }],
  ])('leaves the verdict to the branches, and says so: %s', async (_case, branches, more) => {
    const schema = { ...branches, discriminator: { propertyName: 'kind', ...more } };

    const { sent, notes } = await judgeOf(openapi, schema, schemas);

    expect(await sent({ kind: 'anything', lives: 1 })).toBe(204);
    expect(await sent({ kind: 'Cat' })).toBe(400);
    expect(notes).toContainEqual({
      operationIds: ['send', 'answer'],
      pointer: '/paths/~1sent/post/requestBody/content/application~1json/schema',
      what: expect.stringMatching(/^discriminator .* alone judges$/),
    });
  });
}

describe('OpenAPI 3.0.3 §4.7.25 Discriminator Object', () => {
  proveDiscriminator('3.0.3');
});

describe('OpenAPI 3.1.0 §4.8.25 Discriminator Object', () => {
  proveDiscriminator('3.1.0');

  it('leaves a branch of null alone out of it', async () => {
    const oneOf = [ref('Cat'), ref('Dog'), { type: 'null' }];
    const schema = { oneOf, discriminator: { propertyName: 'kind' } };

    const { sent, told, notes } = await judgeOf('3.1.0', schema, {
      Cat: pet('lives'),
      Dog: pet('tricks'),
    });

    expect(notes).toEqual([]);
    expect(await sent(null)).toBe(204);
    expect(await told({ kind: 'Dog' })).toBe('body /tricks: is required');
    expect(await told(1)).toBe('body: must be object,null');
  });
});

describe('OpenAPI 3.0.3 §4.7.24.1 readOnly and writeOnly', () => {
  const id = { type: 'integer', readOnly: true };
  const secret = { type: 'string', writeOnly: true };

  it.each([
    ['beside each other', { type: 'object', required: ['id', 'a'], properties: { id, a: {} } }, {}],
    [
      'required in another branch of allOf',
      { allOf: [{ type: 'object', properties: { id, a: {} } }, { required: ['id', 'a'] }] },
      {},
    ],
    [
      'required by a component that doesn’t know the member',
      { properties: { id }, allOf: [ref('NeedsId')] },
      { NeedsId: { type: 'object', required: ['id', 'a'] } },
    ],
    [
      'readOnly in what the member refers to',
      { type: 'object', required: ['id', 'a'], properties: { id: ref('Id'), a: {} } },
      { Id: id },
    ],
    [
      'readOnly in a branch of the member',
      {
        type: 'object',
        required: ['id', 'a'],
        properties: { id: { allOf: [{ type: 'integer' }, { readOnly: true }] }, a: {} },
      },
      {},
    ],
  ])('a readOnly member: %s', async (_case, schema, schemas) => {
    const { sent, answered, told } = await judgeOf('3.0.3', schema, schemas);

    expect(await sent({ a: 1 })).toBe(204);
    expect(await told({ a: 1, id: 1 })).toBe('body /id: is read-only');
    expect(await answered({ a: 1, id: 1 })).toBe(200);
    expect(await answered({ a: 1 })).toBe(500);
  });

  it('a component keeps what it requires elsewhere', async () => {
    const schema = {
      type: 'object',
      properties: {
        made: { properties: { id }, allOf: [ref('NeedsId')] },
        named: ref('NeedsId'),
      },
    };

    const { sent } = await judgeOf('3.0.3', schema, {
      NeedsId: { type: 'object', required: ['id'] },
    });

    expect(await sent({ made: {} })).toBe(204);
    expect(await sent({ named: {} })).toBe(400);
  });

  it('a writeOnly member', async () => {
    const schema = { type: 'object', required: ['secret'], properties: { secret } };

    const { sent, answered } = await judgeOf('3.0.3', schema);

    expect(await sent({ secret: 'a' })).toBe(204);
    expect(await sent({})).toBe(400);
    expect(await answered({})).toBe(200);
    expect(await answered({ secret: 'a' })).toBe(500);
  });

  it('has no effect on a whole body, nor on items', async () => {
    const schema = { type: 'array', readOnly: true, items: { type: 'integer', readOnly: true } };

    const { sent } = await judgeOf('3.0.3', schema);

    expect(await sent([1])).toBe(204);
  });
});

describe('OpenAPI 3.0.3 §4.7.24.1 default', () => {
  it.each([
    ['as it stands', { type: 'integer', default: 1 }, {}, 1],
    ['of what the member refers to', ref('Size'), { Size: { type: 'integer', default: 2 } }, 2],
    ['in a branch', { allOf: [{ type: 'integer' }, { default: 3 }] }, {}, 3],
    ['a number written as text', { type: 'integer', default: '4' }, {}, 4],
    ['a boolean written as text', { type: 'boolean', default: 'true' }, {}, true],
    ['text written as a number', { type: 'string', default: 5 }, {}, '5'],
    ['null where it is allowed', { type: 'string', nullable: true, default: null }, {}, null],
    ['an object', { type: 'object', default: { a: 1 } }, {}, { a: 1 }],
    ['none of the wrong type', { type: 'integer', default: 'many' }, {}, undefined],
    ['none that enum doesn’t have', { type: 'string', enum: ['a'], default: 'b' }, {}, undefined],
  ])('is filled in: %s', async (_case, size, schemas, filledIn) => {
    const schema = { type: 'object', properties: { size } };

    const { received } = await judgeOf('3.0.3', schema, schemas);

    expect(await received({})).toEqual(filledIn === undefined ? {} : { size: filledIn });
  });

  it('doesn’t stand in for a required member, whichever branch requires it', async () => {
    const schema = { allOf: [ref('Sized'), { required: ['size'] }] };

    const { sent } = await judgeOf('3.0.3', schema, {
      Sized: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
    });

    expect(await sent({})).toBe(400);
  });

  it.each([
    ['taken for another', '10', /^default "10" is taken for 10$/],
    ['dropped', 'many', /^default "many" is not what the schema allows, and is not filled in$/],
  ])('is said to be %s', async (_case, value, what) => {
    const schema = { type: 'object', properties: { a: { type: 'integer', default: value } } };

    const { notes } = await judgeOf('3.0.3', schema);

    expect(notes.map((note) => note.what)).toEqual([expect.stringMatching(what)]);
  });
});

describe('what is given up is said', () => {
  it.each([
    ['format', '3.1.0', { type: 'string', format: 'no-such' }, /^format no-such is not known/],
    [
      'pattern',
      '3.1.0',
      { type: 'string', pattern: '(?i)a' },
      /^pattern \(\?i\)a is not an ECMA-262/,
    ],
    ['nullable in 3.1', '3.1.0', { type: 'string', nullable: true }, /^nullable means nothing/],
    [
      'positions far beyond prefixItems',
      '3.1.0',
      { type: 'array', prefixItems: [{}], items: { type: 'string' } },
      /^prefixItems: in an array of more than 9 items/,
    ],
    [
      '$id',
      '3.1.0',
      { $id: 'https://example.com/a', type: 'string' },
      /^\$id https:\/\/example\.com\/a is ignored: references in the schema start from the document$/,
    ],
    [
      'discriminator without branches',
      '3.0.3',
      { type: 'object', discriminator: { propertyName: 'a' } },
      /^discriminator without oneOf or anyOf/,
    ],
  ])('%s', async (_case, openapi, schema, what) => {
    const { notes } = await judgeOf(openapi, schema);

    expect(notes.map((note) => note.what)).toEqual([expect.stringMatching(what)]);
  });
});

it('reads references below an $id from the document', async () => {
  const schema = { $id: 'https://example.com/', allOf: [ref('Text')] };
  const components = { Text: { type: 'string' } };

  const { sent } = await judgeOf('3.1.0', schema, components);

  expect(await sent('a')).toBe(204);
  expect(await sent(1)).toBe(400);
});

describe('a schema that applies itself to the same value is refused at boot, with its place', () => {
  it.each([
    ['allOf', { allOf: [ref('Self')] }],
    ['oneOf', { oneOf: [{ type: 'string' }, ref('Self')] }],
    ['anyOf in another schema', { allOf: [ref('Other')] }],
    ['not', { not: ref('Self') }],
    ['then', { if: {}, then: ref('Self') }],
    ['dependentSchemas', { dependentSchemas: { a: ref('Self') } }],
    ['siblings of a reference', { $ref: '#/components/schemas/Other', type: 'string' }],
  ])('by %s', async (_case, Self) => {
    const components = { Self, Other: { anyOf: [ref('Self'), { type: 'string' }] } };

    await expect(judgeOf('3.1.0', { items: ref('Self') }, components)).rejects.toMatchObject({
      problems: [
        expect.stringMatching(/^\/components\/schemas\/\w+: the schema is a part of itself/),
      ],
    });
  });

  it('but not one that stands in itself for another value', async () => {
    const components = {
      Self: { properties: { a: ref('Self') }, items: { allOf: [ref('Self')] } },
    };

    await expect(judgeOf('3.1.0', ref('Self'), components)).resolves.toBeDefined();
  });
});

describe('a schema that is none is refused at boot, with its place', () => {
  it.each([
    ['a type that isn’t one', { type: 'text' }, /schema: type can't be "text"$/],
    ['an enumeration of nothing', { enum: [] }, /schema: enum can't be \[\]$/],
    ['a bound that is a switch', { exclusiveMinimum: true }, /exclusiveMinimum can't be true$/],
    [
      'required that is a switch',
      { properties: { a: { required: true } } },
      /a: required can't be/,
    ],
    ['$dynamicRef', { $dynamicRef: '#a' }, /\$dynamicRef is not supported$/],
    [
      'a reference to nothing',
      ref('None'),
      /^#\/components\/schemas\/None: the reference leads nowhere$/,
    ],
    ['a reference to itself', ref('Self'), /^#\/components\/schemas\/Self: the reference leads to/],
    ['a reference to an anchor', { $ref: '#anchor' }, /^#anchor: only references within/],
  ])('%s', async (_case, schema, problem) => {
    await expect(judgeOf('3.1.0', schema, { Self: ref('Self') })).rejects.toMatchObject({
      problems: [expect.stringMatching(problem)],
    });
  });
});

describe('a pattern', () => {
  it.each([
    ['a\\-b', 'a-b'],
    ['[\\w-.]', '[\\w\\-.]'],
    ['[a\\-z]', '[a\\-z]'],
    ['\\_\\@\\ ', '_@ '],
    ['{a}', '\\{a\\}'],
    ['a{2,3}\\-', 'a{2,3}-'],
    ['\\p{L}\\-', '\\p{L}-'],
    ['^\\d+$', '^\\d+$'],
    ['\\/', '\\/'],
    ['(?i)a', undefined],
    ['\\Aa\\z', undefined],
    ['(', undefined],
  ])('%s is %s under the u flag', (source, pattern) => {
    expect(unicodePattern(source)).toBe(pattern);
  });
});

it('knows every format that the validator checks', () => {
  expect([...CHECKED_FORMATS]).toEqual(expect.arrayContaining(formatNames));
});
