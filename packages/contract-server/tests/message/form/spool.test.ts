import { describe, expect, it } from '@jest/globals';
import { Spool } from '../../../src/message/form/spool.js';

const LONG = 100_000;

describe('OpenAPI 3.1.0 §4.8.14.4 files that wait for their handler', () => {
  it('fail with why they ended, where their exchange is over while they come', async () => {
    const spool = new Spool();
    async function* goneAfter(begun: number): AsyncGenerator<Buffer> {
      if (begun > 0) yield Buffer.alloc(begun);
      await spool.close();
      yield Buffer.alloc(LONG);
      throw new Error('the client has gone');
    }

    await expect(spool.store(goneAfter(LONG))).rejects.toThrow('the client has gone');
    await expect(spool.store(goneAfter(0))).rejects.toThrow('the client has gone');
  });
});
