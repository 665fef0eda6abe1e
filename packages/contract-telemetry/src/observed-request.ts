import type { Meter } from '@opentelemetry/api';
import type { FaultKind, Observation, ObservedOperation, Observer } from 'contract-server';
import type { Durations } from './metrics/durations.js';
import { RequestMetrics, type Active } from './metrics/request-metrics.js';
import { RequestTrace } from './traces/request-trace.js';
import type { RequestTracer } from './traces/request-tracer.js';

export interface ObserverParts {
  readonly meter: Meter;
  readonly durations: Durations;
  /** Undefined where nothing is traced. */
  readonly tracer: RequestTracer | undefined;
  readonly droppedLines: () => number;
}

/** Measures the requests of a service, and traces them where there is a tracer. */
export function createObserver({
  meter,
  durations,
  tracer,
  droppedLines,
}: ObserverParts): Observer {
  const metrics = new RequestMetrics(meter, droppedLines);
  return {
    serves: (operations) => {
      metrics.serves(operations);
    },
    observe(req) {
      const active = metrics.activeOf(req.method ?? '');
      const trace = tracer && new RequestTrace(tracer, req, active.method);
      return new ObservedRequest(metrics, durations, active, trace);
    },
    refusedConnection: (code) => {
      metrics.refused(undefined, code);
    },
    shed: (requests) => {
      metrics.shed(requests);
    },
  };
}

class ObservedRequest implements Observation {
  readonly #metrics: RequestMetrics;
  readonly #durations: Durations;
  readonly #active: Active;
  readonly #trace: RequestTrace | undefined;
  #operation: ObservedOperation | undefined;
  #basePath = '';

  constructor(
    metrics: RequestMetrics,
    durations: Durations,
    active: Active,
    trace: RequestTrace | undefined,
  ) {
    this.#metrics = metrics;
    this.#durations = durations;
    this.#active = active;
    this.#trace = trace;
    active.requests++;
  }

  get traceId(): string | undefined {
    return this.#trace?.traceId;
  }

  get spanId(): string | undefined {
    return this.#trace?.spanId;
  }

  routed(operation: ObservedOperation, basePath: string): void {
    this.#operation = operation;
    this.#basePath = basePath;
    this.#trace?.routed(operation, basePath);
  }

  handle<Request, Result>(
    handler: (request: Request) => Result | Promise<Result>,
    request: Request,
  ): Result | Promise<Result> {
    return this.#trace === undefined ? handler(request) : this.#trace.handle(handler, request);
  }

  refused(code: number): void {
    this.#metrics.refused(this.#operation?.operationId, code);
    this.#trace?.refused(code);
  }

  faulted(kind: FaultKind): void {
    this.#metrics.faulted(this.#operation?.operationId, kind);
    this.#trace?.faulted(kind);
  }

  ended(status: number | undefined, durationMs: number): void {
    this.#active.requests--;
    this.#durations.record(
      this.#active.method,
      this.#operation,
      this.#basePath,
      status,
      durationMs,
    );
    this.#trace?.ended(status);
  }
}
