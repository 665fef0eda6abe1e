/** A plant as the store keeps it. `tag` is absent or any string, also the empty one. */
export interface NewPlant {
  readonly id: bigint;
  readonly name: string;
  readonly tag?: string;
}

/**
 * `created`: it was new. `unchanged`: the very same plant was there. `conflict`: another plant has
 * the id, and keeps it.
 */
export type CreateResult = 'created' | 'unchanged' | 'conflict';

export interface PlantStore {
  /**
   * Adds a plant. Resolves only once what it says is on disk.
   * @param createdBy who does so, by the name in the log
   * @throws StoreUnavailableError, and then nothing was changed; StoreUncertainError, and then it may be
   *   stored, and to create it again is safe
   */
  create(plant: NewPlant, createdBy: string): Promise<CreateResult>;
  /** Begins to commit what is waiting; without it, that begins when the event loop turns. */
  flush(): void;
  /** @throws StoreUnavailableError where the store can't be written to */
  checkWritable(): Promise<void>;
  /** Finishes what is waiting, then closes. */
  close(): Promise<void>;
}

/** What keeps a store from working; `locked` is by another process, `replaced` its file. */
export type StoreFault = 'locked' | 'full' | 'corrupt' | 'read-only' | 'replaced' | 'other';

/** The store can't take this now; the same request may succeed later. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly fault: StoreFault;

  constructor(
    message: string,
    { fault = 'other', ...options }: ErrorOptions & { readonly fault?: StoreFault } = {},
  ) {
    super(message, options);
    this.fault = fault;
  }
}

/** The store didn't say what became of a create: it may have been stored. To repeat it is safe. */
export class StoreUncertainError extends StoreUnavailableError {}

/** Too many creates are waiting: another one would wait too long. */
export class StoreBusyError extends StoreUnavailableError {}
