import { describe, expect, it } from '@jest/globals';
import { findPointer, pointer, stepsOf, stepsOfFragment } from '../../src/json/pointer.js';

describe('RFC 6901 JSON Pointer', () => {
  it('escapes ~ and /', () => {
    expect(pointer(['a/b', 'm~n', 0])).toBe('/a~1b/m~0n/0');
  });

  it('is taken apart into what it was made of', () => {
    expect(stepsOf('/a~1b/m~0n/0/~01')).toEqual(['a/b', 'm~n', '0', '~1']);
  });

  it('is percent-decoded in a URI fragment, unless it was never encoded', () => {
    expect(stepsOfFragment('#/a%20b/100%/~1c%7Bd%7D')).toEqual(['a b', '100%', '/c{d}']);
  });

  it('leads to the outermost part that passes a test, in the order of the value', () => {
    const value = { 'a/b': [{ found: 1 }, { found: 2, inner: { found: 3 } }] };

    expect(findPointer(value, (part) => 'found' in part)).toBe('/a~1b/0');
    expect(findPointer(value, (part) => 'inner' in part)).toBe('/a~1b/1');
    expect(findPointer(value, (part) => part === value)).toBe('');
    expect(findPointer(value, () => false)).toBeUndefined();
  });
});
