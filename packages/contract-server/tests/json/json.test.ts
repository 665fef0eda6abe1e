import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonError } from '../../src/json/json-value.js';
import { parseJson, readJson, writeAndRead, writeJson } from '../../src/json/json.js';

describe('RFC 8259 JSON, read exactly', () => {
  it.each([
    ['0', 0],
    ['-0', -0],
    ['1.0', 1],
    ['1e2', 100],
    ['1E+2', 100],
    ['120e-1', 12],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740993.000', 9007199254740993n],
    ['900719925474099300e-2', 9007199254740993n],
    ['0.000009007199254740993e21', 9007199254740993n],
    ['1e39', 10n ** 39n],
    ['1e300', 1e300],
    ['0e400', 0],
    ['0.1', 0.1],
    ['123456789012345.5', 123456789012345.5],
    ['3.141592653589793238', 3.141592653589793],
    ['1e-300', 1e-300],
  ])('reads %s exactly', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`[${text}]`)).toEqual([value]);
  });

  it.each([
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740992.5',
    '999999999999999.9999',
    '1.00000000000000000001',
  ])('refuses %s, which no double can stand for', (text) => {
    expect(() => parseJson(`{"a":[${text}]}`)).toThrow(
      new JsonError('a number can be held neither as an integer nor as a double at /a/0'),
    );
  });

  it.each([
    [2n ** 63n - 1n, 2 ** 63 - 1024],
    [2n ** 63n, 2 ** 63],
    [2n ** 63n + 1n, 2 ** 63],
    [-(2n ** 63n), -(2 ** 63)],
    [-(2n ** 63n) - 1n, -(2 ** 63) - 2048],
    [2n ** 64n - 1n, 2 ** 64 - 2048],
    [2n ** 64n, 2 ** 64],
    [9007199254740993n, 9007199254740992],
  ])('rounds %s to a double on its own side of every format’s end', (integer, double) => {
    const { value, integers } = readJson(`{"a":${integer}}`);

    expect(value).toEqual({ a: double });
    expect(integers).toEqual({ a: integer });
  });

  it('names no integers where nothing had to be rounded', () => {
    expect(readJson('{"a":[1,"x",{"b":null}]}')).toEqual({
      value: { a: [1, 'x', { b: null }] },
      integers: undefined,
    });
  });

  it('rounds a text that is nothing but an integer', () => {
    expect(readJson('9223372036854775807')).toEqual({
      value: 2 ** 63 - 1024,
      integers: 9223372036854775807n,
    });
  });

  it.each([
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"b":{"c":1,"c":2}}', '/b/c'],
    ['[{},{"a/b~":0,"a/b~":0}]', '/1/a~1b~0'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"":1,"":2}', '/'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{ "x" : "\\":" , "x" : 2 }', '/x'],
  ])('refuses the doubled name in %s', (text, where) => {
    expect(() => parseJson(text)).toThrow(new JsonError(`a member name occurs twice at ${where}`));
  });

  it.each([
    ['{"a":":"}', { a: ':' }],
    ['{"a":"\\":\\\\"}', { a: '":\\' }],
    ['{"a":"\\\\"  :1}'.replace('  :1', ''), { a: '\\' }],
    ['{"a\\":":1,"b":"\\\\\\": 12345678901234567"}', { 'a":': 1, b: '\\": 12345678901234567' }],
    [
      ' [ 12345678901234567 , { } , [ ] , true , false , null , "" ] ',
      [12345678901234567n, {}, [], true, false, null, ''],
    ],
    ['"12345678901234567"', '12345678901234567'],
    ['{"a":"\\ud83c\\udf35"}', { a: '🌵' }],
  ])('is not misled by the text of strings: %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it('keeps a member named __proto__ a member', () => {
    const exact = parseJson('{"__proto__":{"x":12345678901234567}}');

    expect(Object.keys(exact as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(exact)).toBe(Object.prototype);
  });

  it.each(['{"a":"\\ud800"}', '{"a":"\\udc00\\ud800"}', '{"\\uDBFF":1}'])(
    'refuses the unpaired surrogate in %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(/^a string has an unpaired surrogate/);
    },
  );

  it('reads a number of a million digits in linear time', () => {
    const text = `1${'0'.repeat(500_000)}1${'0'.repeat(500_000)}`;

    expect(() => parseJson(text)).toThrow(JsonError);
  });

  it.each(['', '{', '[1,]', '{"a":01}', 'nul', "{'a':1}", '1 2', '"\n"', '\u00a01'])(
    'refuses %j, which is not JSON',
    (text) => {
      expect(() => parseJson(text)).toThrow(JsonError);
    },
  );

  it('does not repeat what the client sent when it is not JSON', () => {
    expect(() => parseJson('{"secret":"s3cr3t", x}')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('s3cr3t') }),
    );
  });

  it.each([
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  ])('refuses nesting that would exhaust the stack', (text) => {
    expect(() => parseJson(text)).toThrow(new JsonError('it is nested deeper than 256 levels'));
  });
});

describe('RFC 8259 JSON, written exactly', () => {
  it('writes a bigint as an exact number, wherever it stands', () => {
    expect(writeJson({ a: [9007199254740993n, -1n], b: { c: 2n ** 64n } })).toBe(
      '{"a":[9007199254740993,-1],"b":{"c":18446744073709551616}}',
    );
  });

  it('leaves strings that look like numbers strings', () => {
    expect(writeJson({ a: '12', b: 12n })).toBe('{"a":"12","b":12}');
  });

  it('writes what parseJson reads, unchanged', () => {
    const text = '{"a":[9223372036854775807,-1.5,"é\\"\\n🌵",null,true,{}],"b":""}';

    expect(writeJson(parseJson(text))).toBe(text);
  });

  it('gives what it has written, rather than what it was given', () => {
    const value = { a: undefined, at: new Date(0), big: 9007199254740993n, text: '\\ud800' };

    expect(writeAndRead(value)).toEqual({
      text: '{"at":"1970-01-01T00:00:00.000Z","big":9007199254740993,"text":"\\\\ud800"}',
      value: { at: '1970-01-01T00:00:00.000Z', big: 9007199254740992, text: '\\ud800' },
      integers: { big: 9007199254740993n },
    });
    expect(writeAndRead([1e21, -0, NaN])).toEqual({
      text: '[1e+21,0,null]',
      value: [1e21, 0, null],
      integers: undefined,
    });
  });

  it('gives of any value what is written of it', () => {
    fc.assert(
      fc.property(
        fc.anything({ maxDepth: 4, withDate: true, withNullPrototype: true }),
        (value) => {
          fc.pre(value !== undefined);
          const { text, value: written } = writeAndRead(value);

          expect(text).toBe(JSON.stringify(value));
          expect(written).toStrictEqual(JSON.parse(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a method of the value', { toJSON: () => ({ b: 1 }), a: 1 }, '{"b":1}'],
    ['a method of a list', Object.assign([1], { toJSON: () => [2] }), '[2]'],
    [
      'an instance of a class',
      { a: Object('x') as unknown, b: new Map([[1, 2]]) },
      '{"a":"x","b":{}}',
    ],
    ['a member named __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['holes', Object.assign([1], { 2: 2 }), '[1,null,2]'],
    ['a function', { a: () => 1, b: 1 }, '{"b":1}'],
  ])('gives what is written where it is not the value: %s', (_case, value: unknown, text) => {
    expect(writeAndRead(value)).toEqual({
      text,
      value: JSON.parse(text) as unknown,
      integers: undefined,
    });
  });

  it('gives what does not change when the value does', () => {
    const value = { list: [1], a: { b: 1 } };
    const { value: written } = writeAndRead(value);

    value.list.push(2);
    value.a.b = 2;

    expect(written).toEqual({ list: [1], a: { b: 1 } });
  });

  it('does not write nesting that would be refused where it is read', () => {
    const deep = JSON.parse(`${'['.repeat(257)}${']'.repeat(257)}`) as unknown;

    expect(() => writeAndRead(deep)).toThrow(new JsonError('it is nested deeper than 256 levels'));
  });

  it.each([{ a: '\ud800' }, { '\udc00': 1 }, { '\udc00': 1n }])(
    'does not write an unpaired surrogate',
    (value) => {
      expect(() => writeAndRead(value)).toThrow(/^a string has an unpaired surrogate/);
    },
  );
});
