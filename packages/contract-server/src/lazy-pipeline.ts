import type { Pipeline } from './routing/router.js';

/**
 * A pipeline that is built when the first request needs it, once: requests that come meanwhile wait
 * for the same build, and one that has failed is not tried again.
 */
export function createLazyPipeline(
  build: () => Promise<Pipeline>,
  /** Answers a request whose pipeline can't be built, and reports it; called for each such request. */
  onFailure: (error: unknown, ...exchange: Parameters<Pipeline>) => Promise<void>,
): Pipeline {
  let building: Promise<Pipeline> | undefined;
  return async (...exchange) => {
    let pipeline: Pipeline;
    try {
      pipeline = await (building ??= build());
    } catch (error) {
      await onFailure(error, ...exchange);
      return;
    }
    await pipeline(...exchange);
  };
}
