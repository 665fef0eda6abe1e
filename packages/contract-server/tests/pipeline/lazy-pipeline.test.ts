import { describe, expect, it } from '@jest/globals';
import { createLazyPipeline, warmUp } from '../../src/pipeline/lazy-pipeline.js';

const built = () => Promise.resolve();

describe('pipelines that are warmed up', () => {
  it('are built one after the other, once, though one of them can’t be', async () => {
    const builds: string[] = [];
    const pipelines = ['a', 'broken', 'b'].map((name) =>
      createLazyPipeline(
        () => {
          builds.push(name);
          return name === 'broken' ? Promise.reject(new Error(name)) : Promise.resolve(built);
        },
        () => Promise.resolve(),
      ),
    );

    await warmUp(pipelines);
    const again = await Promise.allSettled(pipelines.map(({ build }) => build()));

    expect(builds).toEqual(['a', 'broken', 'b']);
    expect(again.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
