import type { Pipeline } from './routing/router.js';

/**
 * A pipeline that is built when the first request needs it, once: requests that come meanwhile wait
 * for the same build, and one that has failed is not tried again.
 */
export function createLazyPipeline(
  build: () => Promise<Pipeline>,
  /** Answers and reports a request whose pipeline can't be built: each one, since each has its own. */
  onFailure: (error: unknown, ...exchange: Parameters<Pipeline>) => void,
): Pipeline {
  let building: Promise<Pipeline> | undefined;
  let built: Pipeline | undefined;
  return (req, res, params, giveUp) => {
    if (built !== undefined) {
      built(req, res, params, giveUp);
      return;
    }
    building ??= build();
    building
      .then(
        (pipeline) => {
          built = pipeline;
          pipeline(req, res, params, giveUp);
        },
        (error: unknown) => {
          onFailure(error, req, res, params, giveUp);
        },
      )
      .catch(giveUp);
  };
}
