import { beforeAll, describe, expect, it } from '@jest/globals';
import { contractClient, type ContractClient } from 'contract-testing';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';

type Untyped = Record<string, unknown>;

const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const point = { type: 'object', properties: { x: { type: 'number' }, y: text } };
const texts = { type: 'array', items: text };
const KINDS: Readonly<Record<string, { readonly schema: object; readonly value: unknown }>> = {
  text: { schema: text, value: 'a&b=c+d/e?%20ü' },
  int64: { schema: int64, value: 9223372036854775807n },
  texts: { schema: texts, value: ['a,b', 'ü&', 'c'] },
  point: { schema: point, value: { x: 2, y: 'a=b' } },
  nested: {
    schema: {
      type: 'object',
      properties: { points: { type: 'array', items: point }, tags: texts },
    },
    value: { points: [{ x: 1 }, { y: 'b' }], tags: ['one'] },
  },
};
const JSON_CONTENT = 'application/json';
const WAYS: readonly (readonly [where: string, way: Untyped, kinds: string])[] = [
  ...[
    {},
    { explode: true },
    { style: 'label' },
    { style: 'label', explode: true },
    { style: 'matrix' },
    { style: 'matrix', explode: true },
  ].map((way) => ['path', way, 'text int64 texts point'] as const),
  ['query', {}, 'text int64 texts point'],
  ['query', { explode: false }, 'text int64 texts point'],
  ['query', { style: 'spaceDelimited', explode: false }, 'texts point'],
  ['query', { style: 'pipeDelimited', explode: false }, 'texts point'],
  ['query', { style: 'deepObject', explode: true }, 'point nested'],
  ['query', { content: JSON_CONTENT }, 'text int64 texts point nested'],
  ['header', {}, 'int64'],
  ['header', { content: JSON_CONTENT }, 'int64'],
  ['cookie', {}, 'text int64'],
  ['cookie', { explode: false }, 'texts point'],
  ['cookie', { content: JSON_CONTENT }, 'text nested'],
];
const CASES = WAYS.flatMap(([where, way, kinds]) =>
  kinds.split(' ').map((kind) => [where, way, kind] as const),
);

describe('a parameter that the client writes', () => {
  let api: ContractClient<Untyped>;
  let received: Readonly<Record<string, Untyped>>;

  beforeAll(async () => {
    const paths = CASES.map(([where, { content, ...way }, kind], index): [string, object] => {
      const { schema } = KINDS[kind] ?? {};
      const parameter = {
        ...{ name: 'X-a', in: where, required: true, ...way },
        ...(content === undefined ? { schema } : { content: { [JSON_CONTENT]: { schema } } }),
      };
      const get = {
        operationId: `get${index}`,
        parameters: [parameter],
        responses: { ...engineResponses, '204': { description: 'Received.' } },
      };
      return [`/${index}${where === 'path' ? '/{X-a}' : ''}`, { get }];
    });
    const contract = contractOf(Object.fromEntries(paths));
    const handle = (request: unknown) => {
      received = request as typeof received; // the parts that a handler gets
      return { status: 204 };
    };
    const handlers = Object.fromEntries(CASES.map((_case, index) => [`get${index}`, handle]));
    const { app } = await serveFixture(contract, handlers);
    api = contractClient<Untyped>(app, { contract: contract as Untyped });
  });

  it.each(CASES.map((one, index) => [...one, index] as const))(
    'is read as it was meant: %s %j %s',
    async (where, _way, kind, index) => {
      const part = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' }[where];
      const value = { 'X-a': KINDS[kind]?.value };

      const answer = await api[`get${index}`]?.({ [String(part)]: value });

      expect(answer).toMatchObject({ status: 204 });
      expect({ ...received[String(part)] }).toEqual(value);
    },
  );
});
