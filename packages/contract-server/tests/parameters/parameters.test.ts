import { describe, expect, it } from '@jest/globals';
import { receive } from '../support/parameter.js';

const array = { type: 'array', items: { type: 'string' } };
const properties = { R: { type: 'integer' }, G: { type: 'integer' }, B: { type: 'integer' } };
const object = { type: 'object', properties, additionalProperties: false };

const SCHEMAS = {
  string: { type: 'string' },
  number: { type: 'number' },
  array,
  object,
  'object with an array': { ...object, properties: { ...properties, tags: array } },
  'integer or object': { anyOf: [{ type: 'integer' }, object] },
  'string or array': { oneOf: [{ type: 'string' }, array] },
};

type SchemaName = keyof typeof SCHEMAS;
type Location = 'path' | 'query' | 'header' | 'cookie';

const BLUE = 'blue';
const COLORS = ['blue', 'black', 'brown'];
const RGB = { R: 100, G: 200, B: 150 };

const PLACES = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' };

/** What the handler gets where `text` is sent in a location; where it is refused, the refusal. */
async function read(
  location: Location,
  schema: SchemaName,
  text: string,
  style: { style?: string; explode?: boolean } = {},
): Promise<unknown> {
  const received = await receive(
    [
      {
        in: location,
        name: 'color',
        schema: SCHEMAS[schema],
        ...style,
        ...(location === 'path' && { required: true }),
      },
    ],
    {
      path: { target: `/is${text}` },
      query: { target: `?${text}` },
      header: { headers: { color: text } },
      cookie: { headers: { cookie: text } },
    }[location],
  );
  const values = (received as Record<string, object | undefined>)[PLACES[location]];
  return values === undefined ? received : { ...values };
}

describe('OpenAPI 3.1.0 §4.8.12.4 style matrix', () => {
  const style = 'matrix';

  it.each<[boolean, SchemaName, string, unknown]>([
    [false, 'string', ';color', ''],
    [false, 'string', ';color=blue', BLUE],
    [false, 'array', ';color', []],
    [false, 'array', ';color=blue,black,brown', COLORS],
    [false, 'object', ';color=R,100,G,200,B,150', RGB],
    [true, 'string', ';color', ''],
    [true, 'string', ';color=blue', BLUE],
    [true, 'array', ';color=blue;color=black;color=brown', COLORS],
    [true, 'array', ';color=blue', ['blue']],
    [true, 'object', ';R=100;G=200;B=150', RGB],
    [true, 'integer or object', ';color=5', 5],
    [true, 'integer or object', ';R=5', { R: 5 }],
  ])('explode %s, %s: reads %s', async (explode, schema, text, value) => {
    expect(await read('path', schema, text, { style, explode })).toEqual({ color: value });
  });

  it.each<[boolean, SchemaName, string, string]>([
    [false, 'string', 'blue', 'must be written ;color=value'],
    [false, 'string', ';colour=blue', 'must be written ;color=value'],
    [false, 'array', ';color=blue;color=black', 'is given more than once'],
    [true, 'string', ';color=blue;color=black', 'is given more than once'],
    [true, 'array', ';color=blue;x=y', 'must be written ;color=value'],
    [true, 'object', ';R=1;R=2', 'its member R is given more than once'],
    [true, 'object', 'R=1', 'must be written ;color=value'],
  ])('explode %s, %s: refuses %s', async (explode, schema, text, message) => {
    expect(await read('path', schema, text, { style, explode })).toEqual({
      error: 40004,
      message: `path /color: ${message}`,
    });
  });
});

describe('OpenAPI 3.1.0 §4.8.12.4 style label', () => {
  const style = 'label';

  it.each<[boolean, SchemaName, string, unknown]>([
    [false, 'string', '.', ''],
    [false, 'string', '.blue', BLUE],
    [false, 'number', '.1.5', 1.5],
    [false, 'array', '.', []],
    [false, 'array', '.blue.black.brown', COLORS],
    [false, 'object', '.', {}],
    [false, 'object', '.R.100.G.200.B.150', RGB],
    [true, 'string', '.', ''],
    [true, 'string', '.blue', BLUE],
    [true, 'array', '.blue.black.brown', COLORS],
    [true, 'object', '.R=100.G=200.B=150', RGB],
  ])('explode %s, %s: reads %s', async (explode, schema, text, value) => {
    expect(await read('path', schema, text, { style, explode })).toEqual({ color: value });
  });

  it.each<[SchemaName, string, unknown]>([
    ['array', '.blue,black,brown', COLORS],
    ['array', '.1.5,2', ['1.5', '2']],
    ['object', '.R,100,G,200,B,150', RGB],
  ])('%s: reads %s too, as RFC 6570 §3.2.5 has it', async (schema, text, value) => {
    expect(await read('path', schema, text, { style, explode: false })).toEqual({ color: value });
  });

  it('refuses what has no dot', async () => {
    expect(await read('path', 'string', 'blue', { style })).toEqual({
      error: 40004,
      message: 'path /color: must begin with a dot',
    });
  });
});

describe('OpenAPI 3.1.0 §4.8.12.4 style simple', () => {
  const style = 'simple';

  describe.each<Location>(['path', 'header'])('in %s', (location) => {
    it.each<[boolean, SchemaName, string, unknown]>([
      [false, 'string', 'blue', BLUE],
      [false, 'array', 'blue,black,brown', COLORS],
      [false, 'object', 'R,100,G,200,B,150', RGB],
      [true, 'string', 'blue', BLUE],
      [true, 'array', 'blue,black,brown', COLORS],
      [true, 'object', 'R=100,G=200,B=150', RGB],
      [false, 'string or array', 'blue', BLUE],
      [false, 'string or array', 'blue,black', ['blue', 'black']],
    ])('explode %s, %s: reads %s', async (explode, schema, text, value) => {
      expect(await read(location, schema, text, { style, explode })).toEqual({ color: value });
    });

    it.each<[boolean, SchemaName, string, string]>([
      [false, 'object', 'R,100,G', 'must be a list of names, each with its value after it'],
      [true, 'object', 'R=100,G', 'has a member without a value: G'],
      [true, 'object', 'R=100,R=1', 'its member R is given more than once'],
    ])('explode %s, %s: refuses %s', async (explode, schema, text, message) => {
      expect(await read(location, schema, text, { style, explode })).toEqual({
        error: 40004,
        message: `${location} /color: ${message}`,
      });
    });
  });
});

describe('OpenAPI 3.1.0 §4.8.12.4 style form in a query', () => {
  const style = 'form';

  it.each<[boolean, SchemaName, string, unknown]>([
    [false, 'string', 'color=', ''],
    [false, 'string', 'color=blue', BLUE],
    [false, 'string', 'color=blue,black', 'blue,black'],
    [false, 'array', 'color=', []],
    [false, 'array', 'color=blue,black,brown', COLORS],
    [false, 'object', 'color=', {}],
    [false, 'object', 'color=R,100,G,200,B,150', RGB],
    [true, 'string', 'color=', ''],
    [true, 'string', 'color', ''],
    [true, 'string', 'color=blue', BLUE],
    [true, 'array', 'color=', []],
    [true, 'array', 'color=blue', ['blue']],
    [true, 'array', 'color=blue&color=black&color=brown', COLORS],
    [true, 'array', 'color=blue&color=', ['blue', '']],
    [true, 'array', 'color=blue,black', ['blue,black']],
    [true, 'object', 'R=100&G=200&B=150', RGB],
    [true, 'object with an array', 'R=1&tags=a&tags=b', { R: 1, tags: ['a', 'b'] }],
    [true, 'string or array', 'color=blue', BLUE],
    [true, 'string or array', 'color=blue&color=black', ['blue', 'black']],
    [true, 'integer or object', 'color=5', 5],
    [true, 'integer or object', 'R=5', { R: 5 }],
  ])('explode %s, %s: reads %s', async (explode, schema, query, value) => {
    expect(await read('query', schema, query, { style, explode })).toEqual({ color: value });
  });

  it.each<[boolean, SchemaName, string, number, string]>([
    [false, 'string', 'color=a&color=b', 40004, 'query /color: is given more than once'],
    [false, 'array', 'color=a&color=b', 40004, 'query /color: is given more than once'],
    [true, 'string', 'color=a&color=a', 40004, 'query /color: is given more than once'],
    [true, 'object', 'R=1&R=2', 40004, 'query /color: its member R is given more than once'],
    [
      true,
      'integer or object',
      'color=5&R=2',
      40004,
      'query /color: is given both as a whole and by its members',
    ],
    [true, 'object', 'R=x', 40002, 'query /color/R: must be integer'],
    [true, 'object', 'X=1', 40002, 'query /X: is not one of those that the contract names'],
  ])('explode %s, %s: refuses %s with %i', async (explode, schema, query, error, message) => {
    expect(await read('query', schema, query, { style, explode })).toEqual({ error, message });
  });

  it('is exploded unless the contract says otherwise', async () => {
    expect(await read('query', 'array', 'color=blue&color=black')).toEqual({
      color: ['blue', 'black'],
    });
  });
});

describe('OpenAPI 3.1.0 §4.8.12.4 style form in a cookie', () => {
  const style = 'form';

  it.each<[boolean, SchemaName, string, unknown]>([
    [false, 'string', 'color=', ''],
    [false, 'string', 'color=blue', BLUE],
    [false, 'array', 'color=blue,black,brown', COLORS],
    [false, 'object', 'color=R,100,G,200,B,150', RGB],
    [true, 'string', 'color=', ''],
    [true, 'string', 'color=blue', BLUE],
    [true, 'string', 'color=blue&black', 'blue&black'],
    [true, 'array', 'color=blue&color=black&color=brown', COLORS],
    [true, 'array', 'color=blue; color=black; color=brown', COLORS],
    [true, 'object', 'R=100&G=200&B=150', RGB],
    [true, 'object', 'R=100; G=200; x=y; B=150', RGB],
  ])('explode %s, %s: reads %s', async (explode, schema, cookie, value) => {
    expect(await read('cookie', schema, cookie, { style, explode })).toEqual({ color: value });
  });

  it.each([
    ['color="blue"', { color: 'blue' }],
    ['other=%ff; color=a%20b+c; other', { color: 'a b+c' }],
    ['other=1', {}],
    ['color=a=b', { color: 'a=b' }],
    ['Color=blue', {}],
  ])('reads %s as RFC 6265 §4.2 has it', async (cookie, value) => {
    expect(await read('cookie', 'string', cookie)).toEqual(value);
  });

  it.each([
    ['color=a; color=b', 'is given more than once'],
    ['color=%ff', 'is not valid percent-encoded UTF-8'],
  ])('refuses %s', async (cookie, message) => {
    expect(await read('cookie', 'string', cookie)).toEqual({
      error: 40004,
      message: `cookie /color: ${message}`,
    });
  });
});

describe('OpenAPI 3.1.0 §4.8.12.4 styles spaceDelimited and pipeDelimited', () => {
  it.each<[string, boolean, SchemaName, string, unknown]>([
    ['spaceDelimited', false, 'array', 'color=blue%20black%20brown', COLORS],
    ['spaceDelimited', false, 'array', 'color=blue+black+brown', COLORS],
    ['spaceDelimited', false, 'object', 'color=R%20100%20G%20200%20B%20150', RGB],
    ['spaceDelimited', true, 'array', 'color=blue&color=black', ['blue', 'black']],
    ['pipeDelimited', false, 'array', 'color=blue|black|brown', COLORS],
    ['pipeDelimited', false, 'array', 'color=blue%7Cblack%7cbrown', COLORS],
    ['pipeDelimited', false, 'object', 'color=R|100|G|200|B|150', RGB],
    ['pipeDelimited', true, 'array', 'color=blue&color=black', ['blue', 'black']],
    ['pipeDelimited', false, 'string', 'color=a|b', 'a|b'],
  ])('%s, explode %s, %s: reads %s', async (style, explode, schema, query, value) => {
    expect(await read('query', schema, query, { style, explode })).toEqual({ color: value });
  });
});

describe('OpenAPI 3.1.0 §4.8.12.4 style deepObject', () => {
  const style = 'deepObject';

  it.each<[SchemaName, string, unknown]>([
    ['object', 'color[R]=100&color[G]=200&color[B]=150', RGB],
    ['object', 'color%5BR%5D=100&color%5bG%5d=200&color%5BB%5D=150', RGB],
    ['object with an array', 'color[tags]=a', { tags: ['a'] }],
    ['object with an array', 'color[tags]=a&color[tags]=b', { tags: ['a', 'b'] }],
    ['object with an array', 'color[tags][]=a&color[tags][]=b', { tags: ['a', 'b'] }],
    ['object with an array', 'color[tags][0]=a&color[tags][1]=b', { tags: ['a', 'b'] }],
    ['array', 'color[]=a&color[]=b', ['a', 'b']],
    ['array', 'color[0]=a&color[1]=b', ['a', 'b']],
    ['integer or object', 'color=5', 5],
    ['integer or object', 'color[R]=5', { R: 5 }],
  ])('%s: reads %s', async (schema, query, value) => {
    expect(await read('query', schema, query, { style, explode: true })).toEqual({ color: value });
  });

  it.each<[SchemaName, string, string]>([
    ['object', 'color[R]=1&color[R]=2', 'its member R is given more than once'],
    ['object', 'color[R][x]=1', 'is nested deeper than its style can say'],
    ['object with an array', 'color[tags][0][x]=1', 'is nested deeper than its style can say'],
    ['object with an array', 'color[tags][1]=1', 'has items that are not numbered from 0 in order'],
    [
      'object with an array',
      'color[tags]=1&color[tags][]=1',
      'its member tags is given more than once',
    ],
    ['object', 'color=R', 'must be written color[member]=value'],
    ['object', 'color[]=1', 'has a member without a name'],
    ['object', 'color[R=1', 'has brackets that do not match'],
    ['object', 'color[R]x=1', 'has brackets that do not match'],
    ['integer or object', 'color=5&color[R]=5', 'is given both as a whole and by its members'],
  ])('%s: refuses %s', async (schema, query, message) => {
    expect(await read('query', schema, query, { style, explode: true })).toEqual({
      error: 40004,
      message: `query /color: ${message}`,
    });
  });

  it.each<[string, unknown]>([
    ['color[in][in][R]=1&color[in][R]=2', { in: { in: { R: 1 }, R: 2 } }],
    [
      'color[list][0][R]=1&color[list][0][G]=2&color[list][1][R]=3',
      { list: [{ R: 1, G: 2 }, { R: 3 }] },
    ],
    ['color[list][][R]=1', 'is nested deeper than its style can say'],
    ['color[list][1][R]=1', 'has items that are not numbered from 0 in order'],
    ['color[in]=1&color[in][R]=1', 'its member in is given more than once'],
    [`color${'[in]'.repeat(17)}=1`, 'is nested deeper than its style can say'],
  ])('a schema that is inside itself: %s', async (query, expected) => {
    const integer = { type: 'integer' };
    const nested = { $ref: '#/components/schemas/Nested' };
    const properties = {
      R: integer,
      G: integer,
      in: nested,
      list: { type: 'array', items: nested },
    };
    const parameter = { name: 'color', in: 'query', style, schema: nested };
    const rest = { components: { schemas: { Nested: { type: 'object', properties } } } };

    const received = await receive([parameter], { target: `?${query}` }, rest);

    expect(received).toMatchObject(
      typeof expected === 'string'
        ? { error: 40004, message: `query /color: ${expected}` }
        : { query: { color: expected } },
    );
  });

  describe('of a time or a range of times, as payment APIs filter by', () => {
    const time = { type: 'integer', format: 'int64' };
    const range = {
      type: 'object',
      properties: { gte: time, lt: time },
      additionalProperties: false,
    };
    const parameters = [
      { name: 'created', in: 'query', style, explode: true, schema: { anyOf: [range, time] } },
    ];

    it.each<[string, unknown]>([
      ['created=5', 5n],
      ['created=9007199254740993', 9007199254740993n],
      ['created[gte]=5', { gte: 5n }],
      [
        'created[gte]=9007199254740993&created[lt]=9223372036854775807',
        { gte: 9007199254740993n, lt: 9223372036854775807n },
      ],
    ])('reads %s', async (query, created) => {
      const received = await receive(parameters, { target: `?${query}` });

      expect(received).toMatchObject({ query: { created } });
    });

    it.each([
      ['created=soon', 40002, '/created: must be integer'],
      ['created=1.5', 40002, '/created: must be integer'],
      ['created=9223372036854775808', 40002, '/created: must be from -9223372036854775808 to'],
      ['created[gte]=soon', 40002, '/created/gte: must be integer'],
      ['created[after]=5', 40002, '/created/after: is not one of those that the contract names'],
      ['created=5&created=6', 40004, '/created: is given more than once'],
      ['created=5&created[gte]=5', 40004, '/created: is given both as a whole and by its members'],
    ])('refuses %s', async (query, error, message) => {
      const received = await receive(parameters, { target: `?${query}` });

      expect(received).toEqual({ error, message: expect.stringContaining(`query ${message}`) });
    });
  });

  it('refuses a member that the schema does not name', async () => {
    expect(await read('query', 'object', 'color[X]=1', { style, explode: true })).toEqual({
      error: 40002,
      message: 'query /color/X: is not one of those that the contract names',
    });
  });
});
