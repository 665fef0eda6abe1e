import { describe, expect, it } from '@jest/globals';
import { pointer } from '../../../src/contract/json/pointer.js';

describe('pointer', () => {
  it('escapes ~ and / (RFC 6901 §3)', () => {
    expect(pointer(['a/b', 'm~n', 0])).toBe('/a~1b/m~0n/0');
  });
});
