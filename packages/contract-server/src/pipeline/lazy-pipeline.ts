import { setTimeout } from 'node:timers/promises';
import type { Pipeline } from '../routing/router.js';

export interface LazyPipeline {
  readonly pipeline: Pipeline;
  /** Resolves with the pipeline that it stands for, built by now. Rejects where it can't be built. */
  readonly build: () => Promise<Pipeline>;
}

/**
 * A pipeline that is built when the first request needs it, once: requests that come meanwhile wait
 * for the same build, and one that has failed is not tried again.
 */
export function createLazyPipeline(
  build: () => Promise<Pipeline>,
  /** Answers a request whose pipeline can't be built, and reports it; called for each such request. */
  onFailure: (error: unknown, ...exchange: Parameters<Pipeline>) => Promise<void>,
): LazyPipeline {
  let building: Promise<Pipeline> | undefined;
  const buildOnce = (): Promise<Pipeline> => (building ??= build());
  const pipeline: Pipeline = async (...exchange) => {
    let built: Pipeline;
    try {
      built = await buildOnce();
    } catch (error) {
      await onFailure(error, ...exchange);
      return;
    }
    await built(...exchange);
  };
  return { pipeline, build: buildOnce };
}

/** Builds one pipeline after the other. The process may end meanwhile. */
export async function warmUp(pipelines: readonly LazyPipeline[]): Promise<void> {
  for (const { build } of pipelines) {
    await setTimeout(1, undefined, { ref: false });
    // One that can't be built is reported with each of its requests.
    await build().catch(() => undefined);
  }
}
