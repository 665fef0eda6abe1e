import type { ServerResponse } from 'node:http';
import { totalmem } from 'node:os';

/** Of the memory that the process may have. The rest is for what is made of the bodies, and for everything else. */
const SHARE = 0.25;

/** The bytes of bodies that are in memory: those that arrive, wait for their turn or for their answer. */
export class KeptBodies {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * For the body of one request, which gives back what it has taken with its answer.
   * @returns what takes so many bytes more, and says whether there was room for them
   */
  of(res: ServerResponse): (bytes: number) => boolean {
    let taken = 0;
    res.once('close', () => {
      this.#bytes -= taken;
    });
    return (bytes) => {
      if (this.#bytes + bytes > this.#maxBytes) return false;
      this.#bytes += bytes;
      taken += bytes;
      return true;
    };
  }
}

/** The process has one memory, which its control group may limit. */
export const keptBodies = new KeptBodies(
  SHARE * Math.min(process.constrainedMemory() || Infinity, totalmem()),
);
