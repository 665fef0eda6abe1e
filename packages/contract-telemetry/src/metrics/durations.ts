import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type CollectionResult,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { ObservedOperation } from 'contract-server';
import { SCOPE } from './scope.js';

/** In seconds, as the semantic conventions advise. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

interface Series {
  readonly attributes: Attributes;
  /** Of each bucket; the last one is of what is beyond the last boundary. */
  readonly counts: number[];
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** By method, then by status; 0 where there was no answer. */
type RouteSeries = Map<string, Map<number, Series>>;

/**
 * `http.server.request.duration`, a histogram for each method, route and status.
 *
 * The SDK's own histogram sorts the attributes of every value and makes a text of them, to find the series
 * with. Here the series are found by what the request has at hand.
 */
export class Durations implements MetricProducer {
  readonly #startTime: HrTime = hrTime();
  readonly #routes = new Map<ObservedOperation | undefined, RouteSeries>();

  /** @param status undefined where the client left before there was an answer */
  record(
    method: string,
    operation: ObservedOperation | undefined,
    basePath: string,
    status: number | undefined,
    durationMs: number,
  ): void {
    const series = this.#seriesOf(method, operation, basePath, status ?? 0);
    const seconds = durationMs / 1000;
    let bucket = 0;
    while (seconds > (BOUNDARIES[bucket] ?? Infinity)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count++;
    series.sum += seconds;
    if (seconds < series.min) series.min = seconds;
    if (seconds > series.max) series.max = seconds;
  }

  #seriesOf(
    method: string,
    operation: ObservedOperation | undefined,
    basePath: string,
    status: number,
  ): Series {
    let methods = this.#routes.get(operation);
    if (methods === undefined)
      this.#routes.set(operation, (methods = new Map<string, Map<number, Series>>()));
    let statuses = methods.get(method);
    if (statuses === undefined) methods.set(method, (statuses = new Map<number, Series>()));
    let series = statuses.get(status);
    if (series === undefined) {
      const route = operation && basePath + operation.pathTemplate;
      statuses.set(status, (series = createSeries(attributesOf(method, route, status))));
    }
    return series;
  }

  collect(): Promise<CollectionResult> {
    const endTime = hrTime();
    const all = [...this.#routes.values()].flatMap((methods) =>
      [...methods.values()].flatMap((statuses) => [...statuses.values()]),
    );
    const dataPoints = all.map(({ attributes, counts, count, sum, min, max }) => ({
      startTime: this.#startTime,
      endTime,
      attributes,
      value: { buckets: { boundaries: BOUNDARIES, counts: [...counts] }, count, sum, min, max },
    }));
    const metric = {
      descriptor: {
        name: 'http.server.request.duration',
        description: 'How long requests took, from their headers to the end of their answers.',
        unit: 's',
        valueType: ValueType.DOUBLE,
      },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM as const,
      dataPoints,
    };
    const scopeMetrics = dataPoints.length === 0 ? [] : [{ scope: SCOPE, metrics: [metric] }];
    // The reader puts the SDK's own resource in the place of this one.
    return Promise.resolve({
      resourceMetrics: { resource: emptyResource(), scopeMetrics },
      errors: [],
    });
  }
}

function createSeries(attributes: Attributes): Series {
  const counts = [...BOUNDARIES.map(() => 0), 0];
  return { attributes, counts, count: 0, sum: 0, min: Infinity, max: -Infinity };
}

function attributesOf(method: string, route: string | undefined, status: number): Attributes {
  return {
    'http.request.method': method,
    'url.scheme': 'http',
    ...(route !== undefined && { 'http.route': route }),
    ...(status !== 0 && { 'http.response.status_code': status }),
    ...(status === 0 && { 'error.type': 'client_gone' }),
    ...(status >= 500 && { 'error.type': String(status) }),
  };
}
