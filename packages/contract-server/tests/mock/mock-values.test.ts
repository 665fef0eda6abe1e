import { describe, expect, it } from '@jest/globals';
import { Schemas } from 'contract-testing/generate';
import { parseContract } from '../../src/index.js';
import { mock, mockErrorBody } from '../../src/mock/index.js';
import { contractOf } from '../support/fixture.js';

const date = { type: 'string', format: 'date' };

/** What a GET is answered with whose response has this schema, and what is wrong with it. */
async function answerTo(schema: unknown, schemas: object = {}, openapi = '3.1.0') {
  const content = { 'application/json': { schema } };
  const contract = contractOf(
    { '/': { get: { operationId: 'get', responses: { '200': { description: '', content } } } } },
    { openapi, components: { schemas } },
  );
  const document = await parseContract(contract);
  const { body } = (await mock(document, 'get')()) as { body: unknown };
  const judge = new Schemas(contract as Record<string, unknown>, 'response');
  const at = { $ref: 'contract#/paths/~1/get/responses/200/content/application~1json/schema' };
  return { body, problem: judge.problemOf(at, body as never) };
}

describe('a made value', () => {
  it.each<[string, unknown, unknown?]>([
    ['of a constant', { const: { a: [1] } }, { a: [1] }],
    ['of an enum', { enum: ['red', 'green'] }, 'red'],
    ['of an enum, narrowed', { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, 'b'],
    ['of a schema that gives an example', { type: 'string', examples: ['oak'] }, 'oak'],
    ['of a default', { type: 'integer', default: 7 }, 7],
    ['of an example that is wrong', { type: 'integer', example: 'seven' }, 1],
    ['of members that give examples', { properties: { a: { examples: ['x'] } } }, { a: 'x' }],
    ['of a boolean', { type: 'boolean' }, true],
    ['of null', { type: 'null' }, null],
    ['that may be null', { type: ['null', 'integer'] }, 1],
    ['of an int64', { type: 'integer', format: 'int64' }, 1n],
    ['within bounds', { type: 'integer', minimum: 5, exclusiveMaximum: 7 }, 5],
    ['above an exclusive bound', { type: 'integer', exclusiveMinimum: 5 }, 6],
    ['below a bound', { type: 'integer', maximum: -5 }, -5],
    ['that is a multiple', { type: 'integer', minimum: 1, multipleOf: 7 }, 7],
    ['beyond 2^53', { type: 'integer', minimum: 2 ** 60 }],
    [
      'beyond 2^53 of a number',
      { type: 'number', minimum: 2n ** 53n + 1n, maximum: 2n ** 53n + 1n },
    ],
    ['that is a multiple beyond 2^53', { type: 'integer', multipleOf: 2n ** 53n + 1n }],
    ['of a number that is a multiple beyond 2^53', { type: 'number', multipleOf: 2n ** 53n + 1n }],
    ['that is a multiple of two', { allOf: [{ multipleOf: 6 }, { multipleOf: 4 }], maximum: 12 }],
    ['that is a multiple of a fraction', { type: 'integer', minimum: 1, multipleOf: 2.5 }, 5],
    ['of a constant beyond 2^53', { type: 'integer', enum: [2n ** 53n + 1n] }, 2n ** 53n + 1n],
    ['of a number', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.1 }],
    ['of a fraction that is a multiple', { type: 'number', minimum: 0.3, multipleOf: 0.25 }, 0.5],
    ['of a text', { type: 'string' }, 'text'],
    ['of a long text', { type: 'string', minLength: 20 }],
    ['of a short text', { type: 'string', maxLength: 2 }, 'te'],
    ['of an empty text', { type: 'string', maxLength: 0 }, ''],
    ['of a pattern', { type: 'string', pattern: '^[A-Z]{2}\\d{3,}-(x|y)+$' }],
    ['of a pattern with a length', { type: 'string', pattern: '^a+$', minLength: 30 }],
    ['of letters of any script', { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' }],
    ['of a pattern that looks ahead', { type: 'string', pattern: '^(?=.*\\d)(?=.*[a-z]).{4,}$' }],
    ['of two patterns', { type: 'string', allOf: [{ pattern: '^ab' }, { pattern: '^..\\d$' }] }],
    ['of a list', { type: 'array', items: { type: 'integer' } }, [1]],
    ['of a list that is long', { type: 'array', items: date, minItems: 4 }],
    ['of unlike items', { type: 'array', items: date, minItems: 2, uniqueItems: true }],
    ['of an empty list', { type: 'array', maxItems: 0 }, []],
    ['of a tuple', { prefixItems: [{ const: 1 }, { const: 2 }], items: false, minItems: 2 }],
    ['of a list that contains', { type: 'array', items: {}, contains: { const: 'x' } }],
    ['of members that must be there', { type: 'object', required: ['a', 'b'] }],
    ['of a closed object', { properties: { a: date }, additionalProperties: false }],
    ['of as many members', { type: 'object', minProperties: 3, additionalProperties: date }],
    ['of as few members', { properties: { a: date, b: date }, maxProperties: 1 }],
    ['of one branch of several', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 1 }] }],
    ['beside a branch', { required: ['a'], anyOf: [{ properties: { a: { const: 1 } } }] }],
    ['that must not be', { type: 'integer', not: { const: 1 } }],
    ['that depends on another', { properties: { a: date }, dependentRequired: { a: ['b'] } }],
    ['under a condition', { enum: [1, 2], if: { const: 1 }, then: false }, 2],
    [
      'that is left closed',
      { allOf: [{ properties: { a: date } }], unevaluatedProperties: false },
      { a: '2026-01-31' },
    ],
  ])('keeps its schema: one %s', async (...[, schema, value]) => {
    const { body, problem } = await answerTo(schema);

    expect(problem).toBeUndefined();
    if (value !== undefined) expect(body).toEqual(value);
  });

  it.each(
    'date date-time time duration email hostname ipv4 ipv6 uri uri-reference uuid byte regex json-pointer'.split(
      ' ',
    ),
  )('has the format %s', async (format) => {
    expect((await answerTo({ type: 'string', format })).problem).toBeUndefined();
  });

  it('is found beside an error whose schema has a bound beyond 2^53', async () => {
    const schema = { type: 'object', properties: { code: { maximum: 2n ** 63n - 1n } } };
    const error = { description: '', content: { 'application/json': { schema } } };
    const responses = { '204': { description: '' }, default: error };
    const document = await parseContract(contractOf({ '/': { get: { responses } } }));

    expect(mockErrorBody({ document })).toBeInstanceOf(Function);
  });

  it('leaves out what is never in a response', async () => {
    const properties = {
      id: { type: 'integer', readOnly: true },
      pin: { type: 'string', writeOnly: true },
    };

    const { body } = await answerTo({ required: ['id', 'pin'], properties });

    expect(body).toEqual({ id: 1 });
  });

  it('ends, where a schema is a part of itself', async () => {
    const Tree = {
      type: 'object',
      required: ['name', 'parts'],
      properties: {
        name: { type: 'string' },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        parent: { $ref: '#/components/schemas/Tree' },
        next: { oneOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
      },
    };

    const { body, problem } = await answerTo({ $ref: '#/components/schemas/Tree' }, { Tree });

    expect(problem).toBeUndefined();
    expect(body).toEqual({ name: 'text', parts: [], next: null });
  });

  it('says which branch it is by the discriminator', async () => {
    const animal = (name: string) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, [name]: { type: 'integer' } },
    });
    const schemas = { Cat: animal('lives'), Dog: animal('tricks') };
    const { body } = await answerTo(
      {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
      },
      schemas,
    );

    expect(body).toEqual({ kind: 'cat', lives: 1 });
  });

  it('keeps a schema of OpenAPI 3.0', async () => {
    const { body, problem } = await answerTo(
      {
        type: 'object',
        required: ['price', 'note'],
        properties: {
          price: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1 },
          note: { type: 'string', nullable: true, enum: [null] },
        },
      },
      {},
      '3.0.3',
    );

    expect(problem).toBeUndefined();
    expect(body).toMatchObject({ note: null });
  });

  it('is the same every time', async () => {
    const schema = { type: 'array', items: { type: 'string' }, minItems: 3, uniqueItems: true };

    expect(await answerTo(schema)).toEqual(await answerTo(schema));
  });

  it('is refused with a reason where there can be none', async () => {
    await expect(answerTo({ type: 'integer', minimum: 2, maximum: 1 })).rejects.toThrow(
      /get: no answer was found that keeps the contract; give the response an example/,
    );
  });
});
