import { describe, expect, it } from '@jest/globals';
import { responseEnd } from '../../../../scripts/bench/load/response-end.js';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nConnection: keep-alive\r\n\r\n';

describe('responseEnd', () => {
  it('waits for all of the headers', () => {
    expect(responseEnd(HEAD.slice(0, -1))).toBeUndefined();
  });

  it('ends where Content-Length says, whatever the body looks like', () => {
    expect(responseEnd(`${HEAD}\r\n\r\n!`)).toBe(HEAD.length + 5);
  });

  it('takes no Content-Length from the body', () => {
    expect(() => responseEnd('HTTP/1.1 200 OK\r\n\r\n\r\nContent-Length: 5\r\n')).toThrow(
      'an answer has no Content-Length',
    );
  });
});
