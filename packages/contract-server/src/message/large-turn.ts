import { setImmediate as nextTurn } from 'node:timers/promises';

/** From how many bytes on a body waits for its turn: reading a smaller one takes less than a millisecond. */
export const LARGE_BODY_BYTES = 65_536;

/** What arrives while a large body is read has been taken, and served, within so many turns. */
const TURNS_BETWEEN = 3;

const waiting: (() => void)[] = [];

/**
 * Resolves when it is a large body's turn to be parsed and judged, in the order of asking. There is one
 * event loop, so this is for the whole process: one large body at a time, and between two of them
 * everybody else.
 */
export function largeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) void letThrough();
  });
}

async function letThrough(): Promise<void> {
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    next();
    for (let turn = 0; turn < TURNS_BETWEEN; turn++) await nextTurn();
    waiting.shift();
  }
}
