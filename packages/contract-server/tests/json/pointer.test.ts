import { describe, expect, it } from '@jest/globals';
import { pointer, stepsOf } from '../../src/json/pointer.js';

describe('RFC 6901 JSON Pointer', () => {
  it('escapes ~ and /', () => {
    expect(pointer(['a/b', 'm~n', 0])).toBe('/a~1b/m~0n/0');
  });

  it('is taken apart into what it was made of', () => {
    expect(stepsOf('/a~1b/m~0n/0/~01')).toEqual(['a/b', 'm~n', '0', '~1']);
  });
});
