import {
  context,
  propagation,
  SpanKind,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
  type TraceState,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  type IdGenerator,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { SCOPE } from '../metrics/scope.js';
import type { TelemetryConfig } from '../settings.js';
import { createSampler } from './sampler.js';

const SERVER = { kind: SpanKind.SERVER };

/** Makes ids of random bits, unless the next one is given. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: string | undefined;

  give(traceId: string): void {
    this.#given = traceId;
  }

  generateTraceId(): string {
    const id = this.#given ?? this.#random.generateTraceId();
    this.#given = undefined;
    return id;
  }

  generateSpanId(): string {
    return this.#random.generateSpanId();
  }
}

/** Starts the spans of requests. */
export class RequestTracer {
  readonly tracer: Tracer;
  readonly #sampler: Sampler;
  readonly #ids: GivenIds;

  constructor(tracer: Tracer, sampler: Sampler, ids: GivenIds) {
    this.tracer = tracer;
    this.#sampler = sampler;
    this.#ids = ids;
  }

  /**
   * The SDK takes one or two microseconds for a request that isn't sampled, and most requests aren't. So the
   * sampler is asked first; the SDK asks it again, of the same trace id, about the others.
   */
  startSpan(name: string, parent: Context): Span {
    const caller = trace.getSpanContext(parent);
    const traceId = caller?.traceId ?? this.#ids.generateTraceId();
    const { decision } = this.#sampler.shouldSample(parent, traceId, name, SpanKind.SERVER, {}, []);
    if (decision === SamplingDecision.NOT_RECORD)
      return trace.wrapSpanContext(new Unrecorded(traceId, caller?.traceState, this.#ids));
    if (caller === undefined) this.#ids.give(traceId);
    return this.tracer.startSpan(name, SERVER, parent);
  }
}

/** Of a request that isn't sampled. Its id is made when a line of the log, or a call of the handler's, asks. */
class Unrecorded implements SpanContext {
  readonly traceId: string;
  readonly traceFlags = TraceFlags.NONE;
  readonly traceState?: TraceState;
  readonly #ids: IdGenerator;
  #spanId: string | undefined;

  constructor(traceId: string, traceState: TraceState | undefined, ids: IdGenerator) {
    this.traceId = traceId;
    if (traceState !== undefined) this.traceState = traceState;
    this.#ids = ids;
  }

  get spanId(): string {
    return (this.#spanId ??= this.#ids.generateSpanId());
  }
}

export interface Tracing {
  readonly requests: RequestTracer;
  shutdown(): Promise<void>;
}

/** Makes spans go to the collector; how many at once, and which headers with them, the environment says. */
export function openTracing(
  config: Pick<TelemetryConfig, 'tracesSampler' | 'tracesSamplerArg'>,
  resource: Resource,
  spanProcessor: SpanProcessor = new BatchSpanProcessor(new OTLPTraceExporter()),
): Tracing {
  const ids = new GivenIds();
  const sampler = createSampler(config);
  const provider = new BasicTracerProvider({
    resource,
    sampler,
    idGenerator: ids,
    spanProcessors: [spanProcessor],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  return {
    requests: new RequestTracer(provider.getTracer(SCOPE.name, SCOPE.version), sampler, ids),
    shutdown: () => provider.shutdown(),
  };
}
