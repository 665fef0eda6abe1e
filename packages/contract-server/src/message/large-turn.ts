import { setImmediate as nextTurn } from 'node:timers/promises';

/** From how many bytes on a body waits for its turn: reading a smaller one takes less than a millisecond. */
export const LARGE_BODY_BYTES = 65_536;

/** Turns of the event loop between two large bodies: enough to serve what arrived meanwhile. */
const TURNS_BETWEEN = 3;

const waiting: (() => void)[] = [];
const onEnds = new Set<() => void>();

/**
 * Has `onEnd` called at the end of each turn, when what had it has run until it waits, such as for a commit.
 * @returns what ends that
 */
export function watchLargeTurns(onEnd: () => void): () => void {
  onEnds.add(onEnd);
  return () => {
    onEnds.delete(onEnd);
  };
}

/**
 * Resolves when it is a large body's turn to be parsed and validated, in the order of asking. The process
 * has one event loop, and therefore one queue: it reads one large body at a time, and serves all other
 * requests between two of them.
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
    // It comes after all that the promise begins.
    process.nextTick(endTurn);
    for (let turn = 0; turn < TURNS_BETWEEN; turn++) await nextTurn();
    waiting.shift();
  }
}

function endTurn(): void {
  for (const onEnd of onEnds) onEnd();
}
