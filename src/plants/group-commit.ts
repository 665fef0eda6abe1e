import { trace, type Span } from '@opentelemetry/api';
import { createCommitTelemetry } from './commit-telemetry.js';
import { StoreBusyError } from './plant-store.js';

/** Commits items in groups, and answers each after its own. */
export interface GroupCommit<Item, Result> {
  /** Resolves with what the commit of its group says of it; rejects with that commit's error. */
  add(item: Item): Promise<Result>;
  /** Begins to commit what is waiting; without it, that begins when the event loop turns. */
  flush(): void;
  /** Resolves once nothing is waiting any more. */
  drain(): Promise<void>;
}

/**
 * Commits a group: all of it or nothing. One result for each item, in order.
 * @param since when the first of them arrived, by `performance.now()`
 */
export type CommitAll<Item, Result> = (
  items: readonly Item[],
  since: number,
) => Promise<readonly Result[]>;

interface Waiting<Item, Result> {
  readonly item: Item;
  /** What was traced when it was added. */
  readonly span: Span | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitOptions<Item> {
  /** How many groups are committed at the same time; one by default. */
  readonly lanes?: number;
  /**
   * How many of those that wait, from the first, make a group while so many lanes are free: at least one,
   * and all by default.
   */
  readonly fit?: (waiting: readonly { readonly item: Item }[], freeLanes: number) => number;
}

const MAX_WAITING = 10_000;

/** Items that arrive in one turn of the event loop, or while no lane is free, make the next group. */
export function createGroupCommit<Item, Result>(
  commitAll: CommitAll<Item, Result>,
  { lanes = 1, fit = (all) => all.length }: GroupCommitOptions<Item> = {},
): GroupCommit<Item, Result> {
  const observeCommit = createCommitTelemetry();
  const waiting: Waiting<Item, Result>[] = [];
  let waitingSince = 0;
  let busyLanes = 0;
  let whenIdle: (() => void)[] = [];

  function flush(): void {
    while (waiting.length > 0 && busyLanes < lanes) void commitWaiting();
  }

  async function commitWaiting(): Promise<void> {
    busyLanes++;
    while (waiting.length > 0) {
      const group = waiting.splice(0, fit(waiting, lanes - busyLanes + 1));
      try {
        const items = group.map(({ item }) => item);
        const results = await observeCommit(group, () => commitAll(items, waitingSince));
        for (const [index, { resolve, reject }] of group.entries()) {
          const result = results[index];
          if (result === undefined) reject(new Error('an item of the group has no result'));
          else resolve(result);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    busyLanes--;
    if (busyLanes === 0) {
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    }
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        if (waiting.length >= MAX_WAITING) {
          reject(new StoreBusyError(`${MAX_WAITING} creates are waiting`));
          return;
        }
        if (waiting.length === 0) {
          waitingSince = performance.now();
          setImmediate(flush);
        }
        waiting.push({ item, span: trace.getActiveSpan(), resolve, reject });
      });
    },
    flush,
    async drain() {
      flush();
      if (busyLanes > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
  };
}
