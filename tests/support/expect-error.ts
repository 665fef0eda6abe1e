import { expect } from '@jest/globals';
import { violations } from './declared.js';
import type { RawResponse } from './raw-http.js';

/** Expects an error of this code, in the contract's shape and declared by it. */
export function expectError(
  { status, headers, text }: Pick<RawResponse, 'status' | 'headers' | 'text'>,
  error: number,
  declaredFor: 'createPlant' | 'unmatched' = 'unmatched',
): void {
  expect({ status, contentType: headers['content-type'] }).toEqual({
    status: Math.floor(error / 100),
    contentType: 'application/json',
  });
  expect(JSON.parse(text)).toEqual({ error, message: expect.any(String) });
  expect(violations({ status, headers, text }, declaredFor)).toEqual([]);
}
