import { beforeAll, describe, expect, it } from '@jest/globals';
import { formData, serveForm, type FormService } from '../../support/form.js';

const URLENCODED = 'application/x-www-form-urlencoded';
const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } };
const schema = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', maxLength: 20 },
    isOld: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    place: point,
    places: { type: 'array', items: point },
    note: { oneOf: [{ type: 'string' }, point] },
    status: { type: 'string', default: 'new' },
  },
};

describe('OpenAPI 3.1.0 §4.8.14.3 application/x-www-form-urlencoded', () => {
  let service: FormService;
  beforeAll(async () => {
    service = await serveForm(URLENCODED, { schema });
  });

  it.each([
    ['an int64 beyond 2^53', 'id=9007199254740993', { id: 9007199254740993n }],
    ['a plus and a percent-encoded plus', 'id=1&name=a+b%2Bc', { name: 'a b+c' }],
    ['UTF-8, encoded or not', 'id=1&name=%C3%BC%20ü', { name: 'ü ü' }],
    ['a boolean', 'id=1&isOld=true', { isOld: true }],
    ['a list, with a pair for each item', 'id=1&tags=a&tags=b', { tags: ['a', 'b'] }],
    ['an empty list', 'id=1&tags=', { tags: [] }],
    ['an object as JSON', 'id=1&place={"x":1.5}', { place: { x: 1.5 } }],
    ['a list of objects', 'id=1&places={"x":1}&places={"y":2}', { places: [{ x: 1 }, { y: 2 }] }],
    ['a list of objects as one', 'id=1&places=[{"x":1},{"y":2}]', { places: [{ x: 1 }, { y: 2 }] }],
    ['text that may be an object', 'id=1&note=%7Bnot', undefined],
    ['text where there may be an object', 'id=1&note=hello', { note: 'hello' }],
    ['an object where there may be text', 'id=1&note={"x":1}', { note: { x: 1 } }],
    ['an empty text', 'id=1&name=', { name: '' }],
  ])('reads %s', async (_case, body, expected) => {
    const { status } = await service.post(body, URLENCODED);

    if (expected === undefined) expect(status).toBe(400);
    else {
      expect(status).toBe(204);
      expect(service.received.at(-1)).toEqual({ id: 1n, status: 'new', ...expected });
    }
  });

  it('is told how to write a plus, which stands for a space', async () => {
    const { message } = await service.post('id=+1', URLENCODED);

    expect(message).toBe(
      'body /id: must be integer; it has a space, for which + stands in a form; write + as %2B',
    );
  });

  it('may be without a field, and so without a byte', async () => {
    const lax = await serveForm(URLENCODED, { schema: { ...schema, required: [] } });

    expect((await lax.post(new URLSearchParams())).status).toBe(204);
    expect(lax.received).toEqual([{ status: 'new' }]);
    expect((await service.post(new URLSearchParams())).message).toBe('body /id: is required');
  });

  it('is what URLSearchParams of fetch write', async () => {
    const body = new URLSearchParams([
      ['id', '1'],
      ['name', 'a & b = ü'],
    ]);

    const { status } = await service.post(body);

    expect(status).toBe(204);
    expect(service.received.at(-1)).toMatchObject({ name: 'a & b = ü' });
  });

  it.each([
    ['a field that is missing', 'name=a', 400, 'body /id: is required'],
    [
      'one that the contract does not name',
      'id=1&other=2',
      400,
      'body /other: is not one of those that the contract names',
    ],
    ['one that is given twice', 'id=1&id=2', 400, 'body /id: is given more than once'],
    ['one of another type', 'id=1.5', 400, 'body /id: must be integer'],
    ['one that is too long', `id=1&name=${'a'.repeat(21)}`, 400, /^body \/name: .*20 characters/],
    ['too many items', 'id=1&tags=a&tags=b&tags=c&tags=d', 400, /^body \/tags: .*3 items/],
    ['an integer beyond int64', 'id=9223372036854775808', 400, /^body \/id: must be from -922/],
    ['JSON that is not', 'id=1&place={"x"', 400, /^body \/place: is not valid JSON/],
    ['a bad percent-encoding', 'id=1&name=%zz', 400, /^body \/name: is not valid percent-encoded/],
    ['a bad percent-encoding of a name', '%zz=1', 400, /^body \/%zz: is not valid percent-encoded/],
    ['what is not UTF-8', 'id=1&name=%FF', 400, /^body \/name: is not valid percent-encoded UTF-8/],
    ['more than the limit', `id=${'1'.repeat(1_000_000)}`, 413, /larger than the 1000000 bytes/],
  ])('refuses %s', async (_case, body, status, message) => {
    const answer = await service.post(body, URLENCODED);

    expect(answer.status).toBe(status);
    expect(answer.message).toMatch(message);
  });

  it('refuses a charset other than UTF-8 with 415', async () => {
    const answer = await service.post('id=1', `${URLENCODED}; charset=ISO-8859-1`);

    expect(answer).toMatchObject({ status: 415, message: 'the charset of the body must be UTF-8' });
  });

  it('refuses JSON with 415', async () => {
    const answer = await service.post('{"id":1}', 'application/json');

    expect(answer).toMatchObject({ status: 415, message: `this operation takes ${URLENCODED}` });
  });

  it.each([
    [
      'a schema of strings',
      { additionalProperties: { type: 'integer' } },
      'a=1&b=2',
      { a: 1, b: 2 },
    ],
    ['no schema', undefined, 'a=1&b=2&b=3', { a: '1', b: ['2', '3'] }],
    ['lists', { additionalProperties: { type: 'array' } }, 'a=1', { a: ['1'] }],
  ])('reads names that are not declared, by %s', async (_case, rest, body, expected) => {
    const open = await serveForm(
      URLENCODED,
      rest === undefined ? {} : { schema: { type: 'object', ...rest } },
    );

    const { status } = await open.post(body, URLENCODED);

    expect(status).toBe(204);
    expect(open.received).toEqual([expected]);
  });
});

describe('OpenAPI 3.1.0 §4.8.15 Encoding Object: style, explode, allowReserved', () => {
  const list = { type: 'array', items: { type: 'integer', format: 'int64' } };
  const properties = {
    spaces: list,
    pipes: list,
    pair: point,
    commas: list,
    deep: point,
    flat: point,
    path: {},
  };
  const encoding = {
    spaces: { style: 'spaceDelimited', explode: false },
    pipes: { style: 'pipeDelimited', explode: false },
    pair: { style: 'pipeDelimited', explode: false },
    commas: { explode: false },
    deep: { style: 'deepObject', explode: true },
    flat: { style: 'form', explode: true },
    path: { allowReserved: true },
  };
  let service: FormService;
  beforeAll(async () => {
    service = await serveForm(URLENCODED, {
      schema: { type: 'object', additionalProperties: false, properties },
      encoding,
    });
  });

  it.each([
    ['spaceDelimited', 'spaces=1%202+3', { spaces: [1n, 2n, 3n] }],
    ['pipeDelimited', 'pipes=1|2%7C3', { pipes: [1n, 2n, 3n] }],
    ['form, not exploded', 'commas=1,2,3', { commas: [1n, 2n, 3n] }],
    ['deepObject', 'deep[x]=1&deep[y]=2', { deep: { x: 1, y: 2 } }],
    ['form, exploded', 'x=1&y=2', { flat: { x: 1, y: 2 } }],
    ['allowReserved', 'path=a+b:/?c', { path: 'a+b:/?c' }],
  ])('reads %s', async (_case, body, expected) => {
    const { status } = await service.post(body, URLENCODED);

    expect(status).toBe(204);
    expect(service.received.at(-1)).toEqual(expected);
  });

  it('refuses a text that is not what its style says', async () => {
    const answer = await service.post('deep[x=1', URLENCODED);

    expect(answer).toEqual({ status: 400, message: 'body /deep: has brackets that do not match' });
  });

  describe('in multipart/form-data', () => {
    let parts: FormService;
    beforeAll(async () => {
      parts = await serveForm('multipart/form-data', {
        schema: { type: 'object', additionalProperties: false, properties },
        encoding,
      });
    });

    it.each([
      ['spaceDelimited', [['spaces', '1 9007199254740993']], { spaces: [1n, 9007199254740993n] }],
      ['pipeDelimited', [['pipes', '1|2|3']], { pipes: [1n, 2n, 3n] }],
      ['pipeDelimited, an object', [['pair', 'x|1|y|2']], { pair: { x: 1, y: 2 } }],
      ['form, not exploded', [['commas', '1,2,3']], { commas: [1n, 2n, 3n] }],
      ['deepObject', [['deep[x]', '1']], { deep: { x: 1 } }],
      ['form, exploded', [['x', '1']], { flat: { x: 1 } }],
      ['no percent-encoding', [['path', 'a%20b']], { path: 'a%20b' }],
    ] as const)('reads %s', async (_case, fields, expected) => {
      const { status } = await parts.post(formData(fields));

      expect(status).toBe(204);
      expect(parts.received.at(-1)).toEqual(expected);
    });

    it.each([
      ['spaces', '1%202', 'body /spaces/0: must be integer'],
      ['pipes', '1|a', 'body /pipes/1: must be integer'],
      ['pair', 'x|1|y', 'body /pair: must be a list of names, each with its value after it'],
    ])('refuses %s: %s', async (name, text, message) => {
      expect(await parts.post(formData([[name, text]]))).toEqual({ status: 400, message });
    });
  });
});
