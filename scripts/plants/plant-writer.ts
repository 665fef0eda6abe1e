import type { StoredPlant } from './stored-plant.js';

/** Puts plants into a store as another one had them, with when and by whom they were created. */
export interface PlantWriter {
  /**
   * Adds those whose ids aren't there; the others are left as they are. Resolves once they are on disk.
   * @throws StopError where the store can't be written
   */
  insert(plants: readonly StoredPlant[]): Promise<void>;
  /** Resolves once all that can be read in the store is as durable as what it answers for. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}
