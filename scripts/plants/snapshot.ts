import type { StoredPlant } from './stored-plant.js';

type Page = readonly StoredPlant[];

/** All plants of a store as they were at one moment, whatever the service creates meanwhile. */
export interface Snapshot {
  readonly count: number;
  /**
   * The plants by their ids, from the least to the greatest, in pages that are bounded in rows and bytes.
   * @param after leaves out this id and all below it
   * @throws StopError where the store can't be read
   */
  pages(after?: bigint): Iterable<Page> | AsyncIterable<Page>;
  /** The plant with this id. */
  find(id: bigint): Promise<StoredPlant | undefined>;
  close(): Promise<void>;
}
