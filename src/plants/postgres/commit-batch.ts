import { StoreUnavailableError, StoreUncertainError, type CreateResult } from '../plant-store.js';
import type { Batch } from './create-all.js';
import { isRefusedStatement, isRefusedValue } from './failure.js';

/** Creates all plants of a batch by the deadline, by `performance.now()`, or none of them. */
export type TryBatch = (batch: Batch, deadline: number) => Promise<CreateResult[]>;

/** Commits a batch; where one create has what the server can't take, the others without it. */
export async function commitBatch(
  tryBatch: TryBatch,
  batch: Batch,
  deadline: number,
): Promise<(CreateResult | Error)[]> {
  try {
    return await tryBatch(batch, deadline);
  } catch (error) {
    const { creates, mayBeStored } = batch;
    if (
      error instanceof Error &&
      (isRefusedStatement(error) || (isRefusedValue(error) && creates.length === 1))
    )
      return creates.map(() => error);
    if (!isRefusedValue(error)) {
      const failure = mayBeStored
        ? new StoreUncertainError('the commit was not confirmed', { cause: error })
        : new StoreUnavailableError('the commit failed', { cause: error });
      return creates.map(() => failure);
    }
    const half = Math.ceil(creates.length / 2);
    return [
      ...(await commitBatch(tryBatch, { creates: creates.slice(0, half), mayBeStored }, deadline)),
      ...(await commitBatch(tryBatch, { creates: creates.slice(half), mayBeStored }, deadline)),
    ];
  }
}
