import { describe, expect, it } from '@jest/globals';
import { createBatch } from '../../src/validation/batch.js';

describe('a batch', () => {
  it('asks once for all that one turn of the event loop wants, and gives each its own answer', async () => {
    const asked: (readonly number[])[] = [];
    const double = createBatch((values: readonly number[]) => {
      asked.push(values);
      return Promise.resolve(values.map((value) => 2 * value));
    });

    const answers = await Promise.all([double(1), double(2), double(3)]);

    expect(answers).toEqual([2, 4, 6]);
    expect(asked).toEqual([[1, 2, 3]]);
  });

  it('asks anew for what comes later', async () => {
    const asked: (readonly number[])[] = [];
    const same = createBatch((values: readonly number[]) => {
      asked.push(values);
      return Promise.resolve(values);
    });

    await same(1);
    await same(2);

    expect(asked).toEqual([[1], [2]]);
  });

  it('lets none suffer from a neighbour that fails', async () => {
    const failure = new Error('not 2');
    const refuseTwo = createBatch((values: readonly number[]) =>
      values.includes(2) ? Promise.reject(failure) : Promise.resolve(values),
    );

    const outcomes = await Promise.allSettled([refuseTwo(1), refuseTwo(2), refuseTwo(3)]);

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 3 },
    ]);
  });

  it('fails a value that gets no answer', async () => {
    const forget = createBatch(() => Promise.resolve<readonly number[]>([]));

    await expect(forget(1)).rejects.toThrow('a value has no answer');
  });
});
