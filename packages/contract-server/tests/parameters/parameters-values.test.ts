import { describe, expect, it } from '@jest/globals';
import { receive } from '../support/parameter.js';

/** The query that the handler gets; where it is refused, the refusal. */
async function readQuery(
  query: string,
  parameters: readonly object[],
  rest?: object,
): Promise<unknown> {
  const received = await receive(
    parameters.map((parameter) => ({ in: 'query', ...parameter })),
    { target: `?${query}` },
    rest,
  );
  const { query: values } = received as { query?: object };
  return values === undefined ? received : { ...values };
}

const refusal = (error: number, message: string): object => ({ error, message });

describe('OpenAPI 3.1.0 §4.8.24: a text is the type that the schema says', () => {
  const integer = { type: 'integer' };
  const number = { type: 'number' };
  const pair = {
    type: 'array',
    prefixItems: [integer, { type: 'boolean' }],
    items: false,
    minItems: 2,
  };

  it.each([
    [integer, '0', 0],
    [integer, '-7', -7],
    [number, '1.50', 1.5],
    [number, '-1e3', -1000],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'string' }, '007', '007'],
    [{ type: 'string' }, 'true', 'true'],
    [{ type: ['integer', 'null'] }, 'null', null],
    [{ type: ['string', 'integer'] }, '1', 1],
    [{ type: ['string', 'integer'] }, 'x', 'x'],
    [{ oneOf: [{ type: 'boolean' }, integer] }, 'true', true],
    [{ anyOf: [integer, { type: 'string', enum: ['all'] }] }, 'all', 'all'],
    [{ allOf: [{ $ref: '#/components/schemas/Count' }, { maximum: 9 }] }, '5', 5],
    [{ $ref: '#/components/schemas/Count' }, '5', 5],
    [{ $ref: '#/components/schemas/Count', type: 'integer' }, '5', 5],
    [{ enum: [1, 2] }, '2', 2],
    [{ const: true }, 'true', true],
    [{}, '5', '5'],
    [true, '5', '5'],
    [{ not: { const: 1 } }, '1', '1'],
    [{ properties: { a: integer } }, 'a,5', { a: 5 }],
    [pair, '1,true', [1, true]],
    [{ type: 'object', additionalProperties: number }, 'a,1.5', { a: 1.5 }],
  ])('%j: reads %s', async (schema, text, value) => {
    const parameter = { name: 'a', explode: false, schema };

    const received = await readQuery(`a=${text}`, [parameter], {
      components: { schemas: { Count: { type: 'number' } } },
    });

    expect(received).toEqual({ a: value });
  });

  it.each([
    ...['0x10', '%201', '1e3', '1.0', '%2B1', '01', '1_0', '', '-', '٣'].map(
      (text) => [integer, encodeURI(decodeURIComponent(text)), 'must be integer'] as const,
    ),
    ...['.5', '1.', 'NaN', 'Infinity', '0x1', ''].map(
      (text) => [number, text, 'must be number'] as const,
    ),
    ...['True', '1', 'yes', ''].map(
      (text) => [{ type: 'boolean' }, text, 'must be boolean'] as const,
    ),
    [{ type: 'integer', maximum: 5 }, '6', 'must be <= 5'],
  ])('%j: refuses %s', async (schema, text, message) => {
    const sent = text.replace('+', '%2B');

    const received = await readQuery(`a=${sent}`, [{ name: 'a', schema }]);

    expect(received).toEqual(refusal(40002, `query /a: ${message}`));
  });

  it.each(['1e400', '0.99999999999999999999999'])(
    'refuses %s, which no double can hold',
    async (text) => {
      expect(await readQuery(`a=${text}`, [{ name: 'a', schema: number }])).toEqual(
        refusal(40004, 'query /a: can be held neither as an integer nor as a double'),
      );
    },
  );

  it('reads nullable as OpenAPI 3.0.3 §4.7.24.1 has it', async () => {
    const schema = { type: 'integer', nullable: true };

    const received = await readQuery('a=null', [{ name: 'a', schema }], { openapi: '3.0.3' });

    expect(received).toEqual({ a: null });
  });
});

describe('OpenAPI 3.1.0 §4.4: int64 is exact', () => {
  const int64 = { type: 'integer', format: 'int64' };

  it.each([
    [int64, '1', 1n],
    [int64, '9007199254740993', 9007199254740993n],
    [int64, '9223372036854775807', 9223372036854775807n],
    [int64, '-9223372036854775808', -9223372036854775808n],
    [{ type: 'array', items: int64 }, '1,9007199254740993', [1n, 9007199254740993n]],
    [{ type: 'object', properties: { b: int64 } }, 'b,9007199254740993', { b: 9007199254740993n }],
    [{ type: 'object', additionalProperties: int64 }, 'b,1', { b: 1n }],
  ])('%j: reads %s', async (schema, text, value) => {
    const parameter = { name: 'a', explode: false, schema };

    expect(await readQuery(`a=${text}`, [parameter])).toEqual({ a: value });
  });

  it.each(['9223372036854775808', '-9223372036854775809', '1e3'])('refuses %s', async (text) => {
    const received = await readQuery(`a=${text}`, [{ name: 'a', schema: int64 }]);

    expect(received).toMatchObject({ error: 40002 });
  });

  it('in a path, a header and a cookie too', async () => {
    const parameters = ['path', 'header', 'cookie'].map((location) => ({
      in: location,
      name: 'a',
      schema: int64,
      required: true,
    }));

    const received = await receive(parameters, {
      target: '/is9007199254740993',
      headers: { a: '9007199254740995', cookie: 'a=9007199254740997' },
    });

    expect(received).toMatchObject({
      params: { a: 9007199254740993n },
      headers: { a: 9007199254740995n },
      cookies: { a: 9007199254740997n },
    });
  });
});

describe('RFC 3986 §2.1 percent-encoding', () => {
  const text = { name: 'a', schema: { type: 'string' } };
  const list = { name: 'a', explode: false, schema: { type: 'array', items: { type: 'string' } } };

  it.each([
    [text, 'a=%C3%A9', 'é'],
    [text, 'a=%2541', '%41'],
    [text, '%61=1', '1'],
    [text, 'a=a+b', 'a b'],
    [text, 'a=a%2Bb', 'a+b'],
    [text, 'a=b=c', 'b=c'],
    [text, 'a=%26&', '&'],
    [text, 'a=12:30/?', '12:30/?'],
    [list, 'a=b%2Cc,d', ['b,c', 'd']],
    [{ ...text, allowReserved: true }, 'a=:/?[]@!$+,;=%20', ':/?[]@!$+,;= '],
  ])('%j: reads %s once', async (parameter, query, value) => {
    expect(await readQuery(query, [parameter])).toEqual({ a: value });
  });

  it.each([
    ['a=%', 'query /a'],
    ['a=%4', 'query /a'],
    ['a=%zz', 'query /a'],
    ['a=%ff', 'query /a'],
    ['a=%ED%A0%80', 'query /a'],
    ['b=%ff', 'query /b'],
    ['%ff=1', 'query /%ff'],
  ])('refuses %s', async (query, where) => {
    expect(await readQuery(query, [text])).toEqual(
      refusal(40004, `${where}: is not valid percent-encoded UTF-8`),
    );
  });

  it('in a path: reads it once, a plus as a plus', async () => {
    const parameter = { in: 'path', name: 'a', required: true, schema: { type: 'string' } };

    const received = await receive([parameter], { target: '/isb%2Fc+%2525%C3%A9' });

    expect(received).toMatchObject({ params: { a: 'b/c+%25é' } });
  });

  it('in a path: refuses what is not UTF-8', async () => {
    const parameter = { in: 'path', name: 'a', required: true, schema: { type: 'string' } };

    const received = await receive([parameter], { target: '/is%ff' });

    expect(received).toEqual(refusal(40004, 'path /a: is not valid percent-encoded UTF-8'));
  });
});

describe('OpenAPI 3.1.0 §4.8.12.2 fixed fields', () => {
  const integer = { type: 'integer' };

  it('required: names what is missing', async () => {
    const parameters = ['query', 'header', 'cookie'].map((location) => ({
      in: location,
      name: 'A',
      required: true,
      schema: integer,
    }));

    const received = await receive(parameters, {});

    expect(received).toEqual(
      refusal(40002, 'query /A: is required; header /a: is required; cookie /A: is required'),
    );
  });

  it('default: stands for what is not sent; what has none is absent', async () => {
    const parameters = ['query', 'header', 'cookie'].flatMap((location) => [
      { in: location, name: 'A', schema: { type: 'integer', format: 'int64', default: 5 } },
      { in: location, name: 'B', deprecated: true, schema: integer },
    ]);

    const { query, headers, cookies } = (await receive(parameters, {})) as Record<string, object>;

    expect([query, headers, cookies].map((values) => ({ ...values }))).toEqual([
      { A: 5n },
      { A: 5n },
      { A: 5n },
    ]);
  });

  it.each([
    [{ type: 'string' }, { a: '' }],
    [{ type: 'string', enum: ['x'] }, {}],
    [{ type: 'string', minLength: 1 }, {}],
    [integer, {}],
    [{ type: 'boolean', default: true }, { a: true }],
    [{ type: 'array', items: integer }, {}],
  ])('allowEmptyValue: an empty %j is %j', async (schema, value) => {
    const parameter = { name: 'a', allowEmptyValue: true, schema };

    expect(await readQuery('a=', [parameter])).toEqual(value);
    expect(await readQuery('a', [parameter])).toEqual(value);
  });

  it.each([
    ['application/json', '{"b":9007199254740993}', { b: 9007199254740993n }],
    ['application/vnd.x+json', '{"b":1}', { b: 1n }],
  ])('content %s: reads it exactly', async (mediaType, text, value) => {
    const schema = {
      type: 'object',
      properties: { b: { type: 'integer', format: 'int64' } },
    };
    const parameters = ['path', 'query', 'header', 'cookie'].map((location) => ({
      in: location,
      name: 'a',
      required: true,
      content: { [mediaType]: { schema } },
    }));

    const received = await receive(parameters, {
      target: `/is${encodeURIComponent(text)}?a=${encodeURIComponent(text)}`,
      headers: { a: text, cookie: `a=${encodeURIComponent(text)}` },
    });

    expect(received).toMatchObject({
      params: { a: value },
      query: { a: value },
      headers: { a: value },
      cookies: { a: value },
    });
  });

  it('content of another media type is a string', async () => {
    const parameter = { name: 'a', content: { 'text/csv': { schema: { type: 'string' } } } };

    expect(await readQuery('a=1,2', [parameter])).toEqual({ a: '1,2' });
  });

  it.each([
    ['a={', /^query \/a: is not valid JSON: /],
    ['a={"b":1,"b":2}', /^query \/a: is not valid JSON: a member name occurs twice/],
    ['a=1&a=2', /^query \/a: is given more than once$/],
  ])('content application/json: refuses %s', async (query, message) => {
    const parameter = { name: 'a', content: { 'application/json': { schema: {} } } };

    const received = await readQuery(encodeURI(query), [parameter]);

    expect(received).toEqual({ error: 40004, message: expect.stringMatching(message) });
  });
});

describe('OpenAPI 3.1.0 §4.8.12.1 header parameters', () => {
  const array = { type: 'array', items: { type: 'integer' } };

  it('reach the handler under their declared names, whatever the case on the wire', async () => {
    const parameter = { in: 'header', name: 'X-Count', schema: { type: 'integer' } };

    const received = await receive([parameter], { headers: { 'x-COUNT': '5' } });

    expect(received).toMatchObject({ headers: { 'X-Count': 5 } });
  });

  it('may have white space around the commas of a list', async () => {
    const parameter = { in: 'header', name: 'X-Counts', schema: array };

    const received = await receive([parameter], { headers: { 'X-Counts': '1, 2 ,3' } });

    expect(received).toMatchObject({ headers: { 'X-Counts': [1, 2, 3] } });
  });

  it('are not percent-decoded', async () => {
    const parameter = { in: 'header', name: 'X-Text', schema: { type: 'string' } };

    const received = await receive([parameter], { headers: { 'X-Text': '50% %41' } });

    expect(received).toMatchObject({ headers: { 'X-Text': '50% %41' } });
  });

  it.each([
    ['one list, of several lines', array, [1, 2, 3]],
    ['refused in two lines, where there is no list', { type: 'string' }, undefined],
  ])('are %s', async (_case, schema, value) => {
    // A list of values is sent as a line each.
    const headers = { Age: ['1,2', '3'] } as unknown as Record<string, string>;

    const received = await receive([{ in: 'header', name: 'Age', schema }], { headers });

    expect(received).toMatchObject(
      value === undefined
        ? refusal(40004, 'header /Age: is given more than once')
        : { headers: { Age: value } },
    );
  });
});

describe('OpenAPI 3.1.0 §4.8.12.1 query parameters by name', () => {
  const text = { type: 'string' };

  it.each(['b=1', 'a=1&b=2', '__proto__=1', 'constructor=1', 'a[b]=1', '=1', 'A=1'])(
    'that the contract does not have are refused: %s',
    async (query) => {
      const received = await readQuery(query, [{ name: 'a', schema: text }]);

      expect(received).toEqual({
        error: 40002,
        message: expect.stringMatching(/is not one of those that the contract names$/),
      });
    },
  );

  it('that objects inherit are names like any other', async () => {
    const parameters = ['constructor', 'toString', 'hasOwnProperty'].map((name) => ({
      name,
      schema: { type: 'string', maxLength: 1 },
    }));

    expect(await readQuery('', parameters)).toEqual({});
    expect(await readQuery('constructor=1&toString=2', parameters)).toEqual({
      constructor: '1',
      toString: '2',
    });
  });

  it('__proto__ is a member like any other', async () => {
    const parameter = { name: 'a', style: 'deepObject', schema: { type: 'object' } };

    const received = (await readQuery('a[__proto__]=1&a[constructor]=2', [parameter])) as {
      a: object;
    };

    expect(Object.entries(received.a)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    expect({}).not.toHaveProperty('1');
  });

  it('that nothing else has go to the exploded object that is open', async () => {
    const filter = {
      name: 'filter',
      schema: {
        allOf: [
          { type: 'object', properties: { R: { type: 'integer' } } },
          { additionalProperties: { type: 'integer' } },
        ],
      },
    };

    const received = await readQuery('R=1&G=2&a=x', [filter, { name: 'a', schema: text }]);

    expect(received).toMatchObject({ a: 'x', filter: { R: 1 } });
  });

  it('with brackets may be declared as they are', async () => {
    const parameter = { name: 'ids[]', schema: { type: 'array', items: { type: 'integer' } } };

    expect(await readQuery('ids[]=1&ids%5B%5D=2', [parameter])).toEqual({ 'ids[]': [1, 2] });
  });
});
