import { expect } from '@jest/globals';
import type { RawResponse } from './raw-http.js';

/** Expects an error of this code; that the contract declares it is asked of every exchange. */
export function expectError(
  { status, headers, text }: Pick<RawResponse, 'status' | 'headers' | 'text'>,
  error: number,
): void {
  expect({ status, contentType: headers['content-type'] }).toEqual({
    status: Math.floor(error / 100),
    contentType: 'application/json',
  });
  expect(JSON.parse(text)).toEqual({ error, message: expect.any(String) });
}
