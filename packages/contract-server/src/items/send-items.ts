import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The items of a response, and how they leave. */
export interface OutgoingItems {
  readonly iterator: AsyncIterator<unknown>;
  /** The text of an item that has been judged; rejects with what is wrong with it. */
  readonly write: (item: unknown, index: number) => Promise<string>;
  /** Reports what was thrown; resolves with what the client is told, if the items can say it. */
  readonly fail: (thrown: unknown, index: number) => Promise<string | undefined>;
  /** Ends the response so that it doesn't look whole. */
  readonly breakOff: () => void;
  /** Aborts when the client has gone, or the service stops. */
  readonly signal: AbortSignal;
  /** Events can end anywhere, since their client comes back by itself. Other items, cut short, would look whole. */
  readonly areEvents: boolean;
  readonly heartbeatMs: number;
}

/** HTML §9.2.6: a line that every reader ignores. */
const HEARTBEAT = ':\n\n';

/**
 * Sends items as they come, no faster than the client reads them. The head has been written. Resolves
 * once the response has ended: with the last item, because the client has gone, because the service
 * stops, or with an item that is broken.
 */
export async function sendItems(res: ServerResponse, items: OutgoingItems): Promise<void> {
  const { iterator, write, fail, breakOff, signal, areEvents, heartbeatMs } = items;
  const isOver = (): boolean => res.writableEnded || res.destroyed;
  let hasEnded = false;
  /** Tells the handler, once, that no further item is wanted. */
  function stop(): void {
    if (hasEnded) return;
    hasEnded = true;
    // What it throws while it is stopped changes nothing any more.
    iterator.return?.().catch(() => undefined);
  }
  function onAbort(): void {
    if (!res.destroyed && !areEvents) return;
    if (!isOver()) res.end();
    stop();
  }
  let isSilent = true;
  const heartbeat = areEvents ? setInterval(beat, heartbeatMs) : undefined;
  function beat(): void {
    if (isSilent && !isOver() && res.writableLength === 0) res.write(HEARTBEAT);
    isSilent = true;
  }
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let index = 0;
  try {
    for (; !isOver(); index++) {
      const next = await iterator.next();
      if (next.done === true) {
        hasEnded = true;
        break;
      }
      if (isOver()) break;
      const text = await write(next.value, index);
      if (isOver()) break;
      isSilent = false;
      if (!res.write(text)) await drained(res);
    }
    if (!isOver()) res.end();
  } catch (thrown) {
    // A handler that is stopped may throw because of it.
    if (isOver()) return;
    const last = await fail(thrown, index);
    if (isOver()) return;
    if (last !== undefined) {
      res.end(last);
      return;
    }
    // Since version 26 node hands on what is written at the end of the turn.
    await nextTurn();
    breakOff();
  } finally {
    clearInterval(heartbeat);
    signal.removeEventListener('abort', onAbort);
    stop();
  }
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    function settle(): void {
      res.off('drain', settle).off('close', settle);
      resolve();
    }
    res.on('drain', settle).on('close', settle);
  });
}
