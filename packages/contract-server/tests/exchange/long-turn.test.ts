import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { longTurn, watchLongTurns } from '../../src/exchange/long-turn.js';

describe('long turns', () => {
  it('come one at a time, in the order of asking, with time to answer others between them', async () => {
    const taken: string[] = [];
    const takeTurn = async (name: string): Promise<void> => {
      await longTurn();
      taken.push(name);
    };
    // As a request does that is taken in one turn of the event loop and answered in the next.
    const answer = async (): Promise<void> => {
      await nextTurn();
      await nextTurn();
      taken.push('other');
    };

    const turns = ['first', 'second', 'third'].map(takeTurn);
    await turns[0];
    await answer();
    await turns[1];
    await answer();
    await turns[2];

    expect(taken).toEqual(['first', 'other', 'second', 'other', 'third']);
  });

  it('end once what had them waits for something else', async () => {
    const done: string[] = [];
    await longTurn();
    await nextTurn();
    const unwatch = watchLongTurns(() => done.push('end'));

    await longTurn();
    for (const step of ['parsed', 'judged', 'handled']) {
      await Promise.resolve();
      done.push(step);
    }
    await nextTurn();
    unwatch();
    await longTurn();
    await nextTurn();

    expect(done).toEqual(['parsed', 'judged', 'handled', 'end']);
  });
});
