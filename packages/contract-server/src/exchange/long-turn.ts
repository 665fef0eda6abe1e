import { setImmediate as nextTurn } from 'node:timers/promises';

/** Turns of the event loop between two long ones: enough to serve what arrived meanwhile. */
const TURNS_BETWEEN = 3;

const waiting: (() => void)[] = [];
const onEnds = new Set<() => void>();

/**
 * Has `onEnd` called at the end of each turn, when what had it has run until it waits, such as for a commit.
 * @returns what ends that
 */
export function watchLongTurns(onEnd: () => void): () => void {
  onEnds.add(onEnd);
  return () => {
    onEnds.delete(onEnd);
  };
}

/**
 * Resolves when it is the turn of work that holds everything else up, such as to parse and validate a large
 * body or to compile a schema, in the order of asking. The process has one event loop, and therefore one
 * queue: it does one such thing at a time, and serves all other requests between two of them.
 */
export function longTurn(): Promise<void> {
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
