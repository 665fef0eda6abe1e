import { describe, expect, it } from '@jest/globals';
import { listOperations } from '../../src/contract.js';
import { ApiError, parseContract } from '../../src/index.js';
import { errorBodyOf, findErrorShape } from '../../src/mock/index.js';
import { contractOf } from '../support/fixture.js';

const text = { type: 'string' };
const error = new ApiError(
  40002,
  'body /name: is required',
  {},
  {
    problems: [{ pointer: '/body/name', message: 'is required' }],
  },
);

/** The body that an error has in a contract whose error responses have this schema. */
async function bodyBy(schema: unknown, mediaType = 'application/json'): Promise<unknown> {
  const responses = { '4XX': { description: '', content: { [mediaType]: { schema } } } };
  const document = await parseContract(
    contractOf({ '/': { get: { operationId: 'get', responses } } }),
  );
  const shape = findErrorShape(document, listOperations(document));
  return shape && errorBodyOf(shape)(error);
}

const of = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  required,
  properties,
});

describe('the error shape of a contract', () => {
  it.each<[string, unknown, unknown]>([
    [
      'a code and a message',
      of({ code: { type: 'integer' }, message: text }),
      { code: 40002, message: error.message },
    ],
    [
      'problem details',
      of({
        type: { type: 'string', format: 'uri-reference' },
        title: text,
        status: { type: 'integer', maximum: 599 },
        detail: text,
        instance: text,
      }),
      { title: 'Bad Request', status: 400, detail: error.message },
    ],
    [
      'problems in a list',
      of({
        detail: text,
        errors: { type: 'array', items: of({ pointer: text, detail: text }, ['pointer']) },
      }),
      { detail: error.message, errors: [{ pointer: '/body/name', detail: 'is required' }] },
    ],
    [
      'a code that can only be a status',
      of({ code: { type: 'integer', maximum: 599 }, error: text }),
      { code: 400, error: error.message },
    ],
    [
      'an error that has members',
      of({ error: of({ code: text, message: text }) }, ['error']),
      { error: { code: '40002', message: error.message } },
    ],
    [
      'members that must be there',
      of({ message: text, at: { type: 'string', format: 'date' }, kind: { enum: ['a'] } }, [
        'at',
        'kind',
      ]),
      { message: error.message, at: '2026-01-31', kind: 'a' },
    ],
  ])('is found: %s', async (_case, schema, body) => {
    expect(await bodyBy(schema)).toEqual(body);
    expect(await bodyBy({ allOf: [schema] }, 'application/problem+json')).toEqual(body);
  });

  it.each<[string, unknown]>([
    ['a text alone', text],
    ['no member for a text', of({ code: { type: 'integer' } })],
    ['a list', { type: 'array', items: text }],
  ])('is not found in %s', async (_case, schema) => {
    expect(await bodyBy(schema)).toBeUndefined();
  });
});
