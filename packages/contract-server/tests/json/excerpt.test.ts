import { describe, expect, it } from '@jest/globals';
import { excerpt } from '../../src/json/excerpt.js';

describe('an excerpt of what a client sent', () => {
  it.each([
    ['', ''],
    ['abcd', 'abcd'],
    ['abcde', 'abcd…'],
    ['abc🌵', 'abc…'],
    ['ab🌵', 'ab🌵'],
    ['ab🌵c', 'ab🌵…'],
    ['a\ud83c', 'a\ufffd'],
    ['\udf35\ud83cb', '\ufffd\ufffdb'],
    ['abc\udf35e', 'abc\ufffd…'],
  ])('is bounded and well-formed: %j', (text, expected) => {
    expect(excerpt(text, 4)).toBe(expected);
  });
});
