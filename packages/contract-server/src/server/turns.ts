import type { ServerResponse } from 'node:http';

/** A turn is read by pieces until it has this many requests. */
const MAX_READ = 128;
/**
 * How many requests that were behind others on their connection are served in one turn. Those of clients
 * that send one and wait for its answer are all served, and the turn stays short for them. Short turns
 * also let new clients in: libuv accepts one connection in each.
 */
const MAX_BEHIND = 32;

/** Something to be read from. */
interface Source {
  readonly read: () => void;
}

export interface TurnsOptions {
  /** Called once the requests that arrived together have all run until they wait, such as for a commit. */
  readonly onServed?: () => void;
  /** While it is true, requests that arrive wait to be served. */
  readonly isHeld?: () => boolean;
}

/** Serves the requests that arrive together as one batch. */
export interface Turns {
  /** Counts a request that the parser has made of what was read. */
  count(): void;
  /** Adds a request to the batch of this turn. */
  readonly arrive: (res: ServerResponse) => void;
  /** Adds one that was behind another on its connection, to this batch or to a later one. */
  readonly follow: (res: ServerResponse) => void;
  /** Whether the turn has room for more requests; if not, the source is read in another one. */
  admit(source: Source): boolean;
}

/**
 * Makes a batch of the requests that arrive by the end of this turn of the event loop and of the next one,
 * which waits for nothing and reads what came meanwhile. Each stage then runs for one request after the
 * other, with its code in the processor's caches for all but the first, and few requests miss the others'
 * commit and wait for one of their own.
 */
export function createTurns(
  serve: (res: ServerResponse) => void,
  { onServed = () => undefined, isHeld = () => false }: TurnsOptions,
): Turns {
  let arrived: ServerResponse[] = [];
  let behind: ServerResponse[] = [];
  let held = new Set<Source>();
  let counted = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(serveInNextTurn);
  }

  function serveInNextTurn(): void {
    setImmediate(serveArrived);
    setImmediate(onServed);
  }

  function serveArrived(): void {
    if (isHeld()) {
      setImmediate(serveInNextTurn);
      return;
    }
    const batch = arrived;
    const followers = behind;
    arrived = [];
    behind = followers.splice(MAX_BEHIND);
    counted = 0;
    isScheduled = false;
    if (behind.length > 0) schedule();
    for (const res of batch) serve(res);
    for (const res of followers) serve(res);
    if (held.size > 0) readHeld();
  }

  function readHeld(): void {
    const sources = held;
    held = new Set();
    for (const source of sources) source.read();
  }

  return {
    count() {
      counted++;
    },
    arrive(res) {
      arrived.push(res);
      schedule();
    },
    follow(res) {
      behind.push(res);
      schedule();
    },
    admit(source) {
      if (counted < MAX_READ && !held.has(source)) return true;
      held.add(source);
      schedule();
      return false;
    },
  };
}
