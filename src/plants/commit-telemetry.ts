import { context, metrics, SpanStatusCode, trace, type Link, type Span } from '@opentelemetry/api';

/** Runs the commit of a group, and tells OpenTelemetry of it. */
export type ObserveCommit = <T>(
  group: readonly { readonly span: Span | undefined }[],
  commit: () => Promise<T>,
) => Promise<T>;

/** From a tenth of a millisecond, which a fast disk takes, to what a client won't wait for. */
const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000];

/** Costs next to nothing where no SDK has been set up. */
export function createCommitTelemetry(): ObserveCommit {
  const meter = metrics.getMeter('plant-store');
  const tracer = trace.getTracer('plant-store');
  const durations = meter.createHistogram('store.commit.duration', {
    description: 'How long commits of the store took.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const sizes = meter.createHistogram('store.commit.size', {
    description: 'How many creates shared a commit of the store.',
    unit: '{create}',
    advice: { explicitBucketBoundaries: SIZES },
  });

  /**
   * One span for all the requests of the group that are traced: in the trace of the first of them, with
   * links to the others, and from them.
   */
  function startSpan(group: readonly { readonly span: Span | undefined }[]): Span | undefined {
    const recorded = group
      .map(({ span }) => span)
      .filter((span) => span !== undefined)
      .filter((span) => span.isRecording());
    const [first, ...others] = recorded;
    if (first === undefined) return undefined;
    const links = others.map((span): Link => ({ context: span.spanContext() }));
    const attributes = { 'store.commit.size': group.length };
    const span = tracer.startSpan(
      'commit',
      { links, attributes },
      trace.setSpan(context.active(), first),
    );
    for (const other of others) other.addLink({ context: span.spanContext() });
    return span;
  }

  return async (group, commit) => {
    const span = startSpan(group);
    const startedAt = performance.now();
    let failure: { 'error.type': string } | undefined;
    try {
      return await commit();
    } catch (error) {
      failure = { 'error.type': error instanceof Error ? error.name : '_OTHER' };
      span?.setAttributes(failure).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      durations.record((performance.now() - startedAt) / 1000, failure);
      sizes.record(group.length, failure);
      span?.end();
    }
  };
}
