import { describe, expect, it } from '@jest/globals';
import { together, type Ask } from '../../src/validation/together.js';

/** What one asker is told. */
function answerOf<Value, Answer>(ask: Ask<Value, Answer>, value: Value): Promise<Answer> {
  return new Promise((use, fail) => {
    ask(value, { use, fail });
  });
}

describe('together', () => {
  it('asks once for all that one turn of the event loop wants, and gives each its own answer', async () => {
    const asked: (readonly number[])[] = [];
    const double = together((values: readonly number[]) => {
      asked.push(values);
      return Promise.resolve(values.map((value) => 2 * value));
    });

    const answers = await Promise.all([
      answerOf(double, 1),
      answerOf(double, 2),
      answerOf(double, 3),
    ]);

    expect(answers).toEqual([2, 4, 6]);
    expect(asked).toEqual([[1, 2, 3]]);
  });

  it('asks anew for what comes later', async () => {
    const asked: (readonly number[])[] = [];
    const same = together((values: readonly number[]) => {
      asked.push(values);
      return Promise.resolve(values);
    });

    await answerOf(same, 1);
    await answerOf(same, 2);

    expect(asked).toEqual([[1], [2]]);
  });

  it('lets none suffer from a neighbour that fails', async () => {
    const failure = new Error('not 2');
    const refuseTwo = together((values: readonly number[]) =>
      values.includes(2) ? Promise.reject(failure) : Promise.resolve(values),
    );

    const outcomes = await Promise.allSettled([
      answerOf(refuseTwo, 1),
      answerOf(refuseTwo, 2),
      answerOf(refuseTwo, 3),
    ]);

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 3 },
    ]);
  });

  it('hands what an asker throws back to it, and goes on', async () => {
    const same = together((values: readonly number[]) => Promise.resolve(values));
    const failure = new Error('no use for it');

    const failed = new Promise((fail) => {
      const use = (): void => {
        throw failure;
      };
      same(1, { use, fail });
    });
    const second = answerOf(same, 2);

    await expect(failed).resolves.toBe(failure);
    await expect(second).resolves.toBe(2);
  });

  it('fails a value that gets no answer', async () => {
    const forget = together(() => Promise.resolve<readonly number[]>([]));

    await expect(answerOf(forget, 1)).rejects.toThrow('a value has no answer');
  });
});
