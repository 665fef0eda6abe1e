import { describe, expect, it } from '@jest/globals';
import { describeProblem } from '../../src/document/contract-error.js';
import { ContractDocument } from '../../src/document/document.js';
import { ApiError } from '../../src/exchange/api-error.js';
import { listOperations, type Operation } from '../../src/operation/operation.js';
import { createParameterReader, type ReadParameters } from '../../src/parameters/parameters.js';

interface Built {
  readonly read: ReadParameters;
  readonly problems: string[];
}

function build(parameters: readonly object[], ignoredNames: readonly string[] = []): Built {
  const get = { operationId: 'get', parameters, responses: {} };
  const document = new ContractDocument({
    openapi: '3.1.0',
    info: {},
    paths: { '/a': { get } },
  });
  const problems: string[] = [];
  const [operation] = listOperations(document) as [Operation];
  const read = createParameterReader(
    document,
    operation,
    (problem) => problems.push(describeProblem(problem)),
    new Set(ignoredNames),
  );
  return { read, problems };
}

const object = { type: 'object', properties: { R: { type: 'integer' } } };
const open = { ...object, additionalProperties: true };
const text = { type: 'string' };

describe('a parameter that no request can be read for is a problem at boot', () => {
  it.each([
    [
      'a style of another location',
      [{ in: 'path', name: 'c', style: 'form', schema: text }],
      'get: parameter c in path: style form is not one of simple, label, matrix',
    ],
    [
      'an unknown style',
      [{ in: 'query', name: 'c', style: 'tabDelimited', schema: text }],
      'get: parameter c in query: style tabDelimited is not one of form, spaceDelimited, pipeDelimited, deepObject',
    ],
    [
      'deepObject of something that is no object',
      [{ in: 'query', name: 'c', style: 'deepObject', schema: text }],
      'get: parameter c in query: style deepObject needs a schema of an object',
    ],
    [
      'an exploded object of a style that has no form for it',
      [{ in: 'query', name: 'c', style: 'pipeDelimited', explode: true, schema: object }],
      'get: parameter c in query: style pipeDelimited has no form for an exploded object',
    ],
    [
      'an exploded object with a member of another parameter’s name',
      [
        { in: 'query', name: 'c', schema: object },
        { in: 'query', name: 'R', schema: text },
      ],
      "get: parameter c in query: its member R can't be told from parameter R in query",
    ],
    [
      'two exploded objects that take every other name',
      [
        { in: 'query', name: 'c', schema: { ...open, properties: {} } },
        { in: 'query', name: 'd', schema: open },
      ],
      "get: parameter d in query: its other members can't be told from those of parameter c in query",
    ],
    [
      'two headers of one name',
      [
        { in: 'header', name: 'X-A', schema: text },
        { in: 'header', name: 'x-a', schema: text },
      ],
      'get: parameter x-a in header: another parameter differs from it by case only',
    ],
  ])('%s', (_case, parameters, problem) => {
    expect(build(parameters).problems).toEqual([problem]);
  });

  it('but a schema that contains itself is none', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema.properties = { self: schema };
    schema.anyOf = [schema];

    expect(build([{ in: 'query', name: 'c', schema }]).problems).toEqual([]);
  });
});

describe('reading', () => {
  const nothing = { path: {}, query: '', headers: {}, rawHeaders: [] };

  it('leaves out the names that are no parameters, such as an API key’s', () => {
    const { read } = build([{ in: 'query', name: 'c', schema: open }], ['key']);

    const { values } = read({ ...nothing, query: 'key=%ff&x=1' });

    expect(values.query).toEqual({ c: { x: '1' } });
  });

  it('gives a parameter of such a name what is its own', () => {
    const { read } = build([{ in: 'query', name: 'key', schema: text }], ['key']);

    expect(read({ ...nothing, query: 'key=1' }).values.query).toEqual({ key: '1' });
  });

  it('gives each request objects of its own, for defaults to be written into', () => {
    const { read } = build([{ in: 'query', name: 'c', schema: { default: 1 } }]);

    expect(read(nothing).values.query).not.toBe(read(nothing).values.query);
  });

  it('gives requests of an operation without parameters nothing that they could change for others', () => {
    const { read } = build([]);

    const { values } = read(nothing);

    expect(values).toEqual({ path: {}, query: {}, header: {}, cookie: {} });
    expect(Object.values(values).every(Object.isFrozen)).toBe(true);
  });

  it('rounds only what a double can’t hold', () => {
    const { read } = build([{ in: 'query', name: 'c', schema: { type: 'integer' } }]);

    const small = read({ ...nothing, query: 'c=5' });
    const large = read({ ...nothing, query: 'c=9007199254740993' });

    expect(small.values.query).toEqual({ c: 5 });
    expect(small.integers).toEqual({});
    expect(large.values.query).toEqual({ c: 9007199254740992 });
    expect(large.integers).toMatchObject({ query: { c: 9007199254740993n } });
  });

  it.each([
    '&'.repeat(100_000),
    'c='.repeat(50_000),
    `c=${'%20'.repeat(50_000)}`,
    `c${'['.repeat(100_000)}`,
  ])('takes time linear in the length of a query', (query) => {
    const { read } = build([{ in: 'query', name: 'c', style: 'deepObject', schema: object }]);
    const start = performance.now();

    expect(() => {
      try {
        read({ ...nothing, query });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }).not.toThrow();

    expect(performance.now() - start).toBeLessThan(500);
  });
});
