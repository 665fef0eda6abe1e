import type { Outcome } from './client.js';
import type { RefusedRow } from './refused-file.js';
import type { Row } from './row.js';

/** How far the import is. */
export interface Tally {
  /** Created, or already there: the service answers both alike. */
  accepted: number;
  refused: number;
  /** Neither taken nor refused: the service was away, or had a fault of its own. */
  failed: number;
  /** How many times a row was sent again. */
  sentAgain: number;
  /** The end of the row that stands last in the file, of those that are done. */
  endByte: number;
}

export interface ImportSteps {
  readonly send: (plant: NonNullable<Row['plant']>) => Promise<Outcome>;
  readonly list: (row: RefusedRow) => void;
  readonly concurrency: number;
  /** Once aborted, no other row is begun; what is on its way is still waited for. */
  readonly signal: AbortSignal;
  /** Aborts the signal. */
  readonly stop: (why: string) => void;
}

/** With few rows on their way, this many failures in succession are still the rows' own. */
const MIN_FAILURES_TO_STOP = 10;

/** The code of a row that was never sent. */
const UNREADABLE = 'unreadable';

/**
 * Sends every row, so many at once, and reads no further ahead than that. Where as many rows have
 * failed in succession as are on their way at once, the service is gone, and the import stops.
 * @param tally is kept up to date
 * @throws StopError, and whatever else went wrong, after what was on its way has ended
 */
export async function importRows(
  rows: AsyncGenerator<Row, void>,
  tally: Tally,
  { send, list, concurrency, signal, stop }: ImportSteps,
): Promise<void> {
  const maxFailures = Math.max(concurrency, MIN_FAILURES_TO_STOP);
  let failures = 0;

  async function importRow(row: Row): Promise<void> {
    const { line, plant } = row;
    if (plant === undefined) {
      tally.refused++;
      list({ line, code: UNREADABLE, message: row.problem, members: row.members });
      return;
    }
    const outcome = await send(plant);
    if (outcome.kind === 'accepted') {
      tally.accepted++;
    } else {
      const { kind, code, message } = outcome;
      tally[kind === 'refused' ? 'refused' : 'failed']++;
      list({ line, code, message, members: plant });
    }
    const isAnswered = outcome.kind === 'accepted' || outcome.kind === 'refused';
    failures = isAnswered ? 0 : failures + 1;
    if (failures >= maxFailures) stop(`${failures} rows in succession have failed`);
  }

  async function work(): Promise<void> {
    // All workers draw from the one generator, which queues them; the first to leave ends it for all.
    for await (const row of rows) {
      if (signal.aborted) return;
      await importRow(row);
      tally.endByte = Math.max(tally.endByte, row.endByte);
    }
  }

  const workers = Array.from({ length: concurrency }, () =>
    work().catch((error: unknown) => {
      stop('an error');
      throw error;
    }),
  );
  // Waits for all of them, also where one has failed already.
  await Promise.allSettled(workers);
  await Promise.all(workers);
}
